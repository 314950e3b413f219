"""The core of what a ccxt client of today does, in Python: python ccxt4_core.py URL"""

import sys
import time
from decimal import Decimal

import ccxt

PAIR = "BTC/USDT"


def connect(url, **credentials):
    client = ccxt.weex({**credentials, "enableRateLimit": False})
    addresses = {name: url for name in ("public", "private", "contract", "contractPrivate")}
    client.urls["api"] = {**client.urls["api"], **addresses}
    return client


def account(name):
    return {"apiKey": f"{name}-key", "secret": f"{name}-secret", "password": f"{name}-pass"}


def free(client, coin):
    rows = client.fetch_balance()["info"]["balances"]
    return next(Decimal(row["free"]) for row in rows if row["asset"] == coin)


def total(trades, name):
    return sum((Decimal(trade["info"][name]) for trade in trades), Decimal(0))


def throws(error, call):
    try:
        call()
    except error:
        return
    raise AssertionError(f"no {error.__name__}")


def play(url):
    demo, maker = connect(url, **account("demo")), connect(url, **account("maker"))
    markets = demo.load_markets()
    assert PAIR in markets, markets.keys()
    assert abs(demo.fetch_time() - time.time() * 1000) < 5000

    maker.create_order(PAIR, "limit", "sell", 0.5, 30000)
    before = free(demo, "BTC"), free(demo, "USDT")
    bought = demo.create_order(PAIR, "market", "buy", 0.2)
    order = demo.fetch_order(bought["id"], PAIR)
    assert (order["status"], order["filled"], order["cost"]) == ("closed", 0.2, 6000), order
    trades = demo.fetch_order_trades(bought["id"], PAIR)
    after = free(demo, "BTC"), free(demo, "USDT")
    assert after[0] - before[0] == total(trades, "qty") - total(trades, "commission")
    assert after[1] - before[1] == -total(trades, "quoteQty")

    assert demo.fetch_ticker(PAIR)["last"] == 30000
    assert demo.fetch_order_book(PAIR, 15)["asks"] == [[30000, 0.3]]
    assert demo.fetch_ohlcv(PAIR, "1m")
    assert demo.fetch_trades(PAIR, limit=1)[0]["amount"] == 0.2

    resting = demo.create_order(PAIR, "limit", "buy", 0.1, 29000)
    assert [one["id"] for one in demo.fetch_open_orders(PAIR)] == [resting["id"]]
    demo.cancel_order(resting["id"], PAIR)
    assert demo.fetch_order(resting["id"], PAIR)["status"] == "canceled"
    throws(ccxt.OrderNotFound, lambda: demo.cancel_order(resting["id"], PAIR))
    throws(ccxt.InsufficientFunds, lambda: demo.create_order(PAIR, "limit", "buy", 9000, 29000))
    stranger = connect(url, **{**account("demo"), "password": "guess"})
    throws(ccxt.AuthenticationError, stranger.fetch_balance)
    maker.cancel_all_orders(PAIR)


SWAP = "BTC/USDT:USDT"


def balance(client):
    rows = client.fetch_balance({"type": "swap"})["info"]
    return next(Decimal(row["balance"]) for row in rows if row["asset"] == "USDT")


def play_swap(url):
    demo, maker = connect(url, **account("demo")), connect(url, **account("maker"))
    demo.load_markets()
    before = balance(demo)
    maker.create_order(SWAP, "limit", "sell", 0.02, 30000)
    bought = demo.create_order(SWAP, "market", "buy", 0.02)
    assert demo.fetch_order(bought["id"], SWAP)["average"] == 30000
    position = demo.fetch_position(SWAP)
    assert (position["side"], position["contracts"], position["entryPrice"]) == ("long", 0.02, 30000)
    maker.create_order(SWAP, "limit", "buy", 0.02, 30100)
    demo.create_order(SWAP, "market", "sell", 0.02, params={"reduceOnly": True})
    trades = demo.fetch_my_trades(SWAP)
    assert balance(demo) - before == total(trades, "realizedPnl") - total(trades, "commission")
    assert demo.fetch_positions([SWAP]) == []

    stop = demo.create_order(SWAP, "limit", "buy", 0.01, 31000, {"triggerPrice": 31000})
    waiting = demo.fetch_open_orders(SWAP, params={"trigger": True})
    assert [one["id"] for one in waiting] == [stop["id"]]
    demo.cancel_order(stop["id"], SWAP, {"trigger": True})
    demo.set_leverage(9, SWAP, {"marginMode": "isolated"})
    assert demo.fetch_leverage(SWAP)["info"]["isolatedLongLeverage"] == "9.00"
    throws(ccxt.InvalidOrder, lambda: demo.set_leverage(101, SWAP))
    throws(ccxt.InsufficientFunds, lambda: demo.create_order(SWAP, "limit", "buy", 900, 29000))


play(sys.argv[1])
play_swap(sys.argv[1])
print("done")
