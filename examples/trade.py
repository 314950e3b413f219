import ccxt

url = "http://127.0.0.1:8787"
exchange = ccxt.weex({
    "apiKey": "demo-key",
    "secret": "demo-secret",
    "password": "demo-pass",
    "urls": {"api": {"public": url, "private": url, "contract": url, "contractPrivate": url}},
})

# A pair: buy 0.01 BTC at market, then offer it above the market.
bought = exchange.create_order("BTC/USDT", "market", "buy", 0.01)
order = exchange.fetch_order(bought["id"], "BTC/USDT")
print("bought", order["filled"], "BTC at", order["average"])
offer = exchange.create_order("BTC/USDT", "limit", "sell", 0.009, order["average"] * 1.1)
print("open orders", len(exchange.fetch_open_orders("BTC/USDT")))
exchange.cancel_order(offer["id"], "BTC/USDT")

# A perpetual swap: open an isolated long at ten times leverage, close it.
swap = "BTC/USDT:USDT"
exchange.set_margin_mode("isolated", swap)
exchange.set_leverage(10, swap, {"marginMode": "isolated"})
exchange.create_order(swap, "market", "buy", 0.02)
position = exchange.fetch_positions([swap])[0]
print(position["side"], position["contracts"], "liquidated at", position["liquidationPrice"])
exchange.create_order(swap, "market", "sell", 0.02, None, {"reduceOnly": True})
print("USDT", exchange.fetch_balance({"type": "swap"})["USDT"]["total"])
