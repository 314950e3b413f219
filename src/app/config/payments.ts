/** Money in and out by request: the rules of each coin, and the system outside that is told. */
import Type, { type Static } from 'typebox';
import { LIMITS } from '#domain';
import { type CoinRules, NO_PAYMENTS, type PaymentSettings, type WebhookSettings } from '#people';
import { ConfigFault } from './document.ts';
import { isLoopback } from './server.ts';

const strict = { additionalProperties: false } as const;
const amount = Type.String({ pattern: '^[0-9]{1,20}(\\.[0-9]{1,18})?$' });
const PATTERN_LENGTH_MAX = 200;
const SECRET_LENGTH_MIN = 32;

const COIN_SCHEMA = Type.Object(
  {
    coin: Type.String({ pattern: '^[A-Z0-9]{1,20}$' }),
    deposits: Type.Optional(Type.Boolean()),
    withdrawals: Type.Optional(Type.Boolean()),
    minDeposit: Type.Optional(amount),
    minWithdraw: Type.Optional(amount),
    fee: Type.Optional(amount),
    dailyLimit: Type.Optional(amount),
    approvals: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
    twoApprovalsAbove: Type.Optional(amount),
    addressPattern: Type.Optional(Type.String({ minLength: 1, maxLength: PATTERN_LENGTH_MAX })),
  },
  strict,
);

export const PAYMENTS_SCHEMA = Type.Object(
  {
    coins: Type.Array(COIN_SCHEMA, { maxItems: LIMITS.assetsMax }),
    webhooks: Type.Optional(
      Type.Object(
        { url: Type.String({ pattern: '^https?://[^\\s@#]+$', maxLength: 2_048 }) },
        strict,
      ),
    ),
  },
  strict,
);

export type PaymentsContent = Static<typeof PAYMENTS_SCHEMA>;
type CoinContent = PaymentsContent['coins'][number];

interface Surroundings {
  readonly env: { readonly OUTCRY_WEBHOOK_SECRET?: string | undefined };
  readonly isSandbox: boolean;
  readonly placeOf: (path: readonly (string | number)[]) => string;
}

/** Where nothing is said of it no coin comes or goes by request. Throws ConfigFault. */
export function paymentsConfig(
  content: PaymentsContent | undefined,
  around: Surroundings,
): PaymentSettings {
  if (content === undefined) return NO_PAYMENTS;
  const { placeOf } = around;
  const complain = (path: readonly (string | number)[], why: string): never => {
    throw new ConfigFault([`${placeOf(['payments', ...path])}: ${why}`]);
  };
  if (around.isSandbox) {
    complain([], 'a sandbox goes back to earlier states, requests do not: choose one');
  }
  const codes = content.coins.map(({ coin }) => coin);
  const double = codes.findIndex((code, at) => codes.indexOf(code) !== at);
  if (double !== -1) complain(['coins', double, 'coin'], `${codes[double]} is there twice`);
  const coins = content.coins.map((coin, at): CoinRules => {
    return {
      ...rulesOf(coin),
      addressPattern: patternOf(coin, (why) =>
        complain(['coins', at, 'addressPattern'], `no pattern: ${why}`),
      ),
    };
  });
  return { coins, webhook: webhookOf(content, around, complain) };
}

function rulesOf(coin: CoinContent): Omit<CoinRules, 'addressPattern'> {
  return {
    coin: coin.coin,
    deposits: coin.deposits ?? true,
    withdrawals: coin.withdrawals ?? true,
    minDeposit: coin.minDeposit ?? '0',
    minWithdraw: coin.minWithdraw ?? '0',
    fee: coin.fee,
    dailyLimit: coin.dailyLimit,
    approvals: coin.approvals ?? 1,
    twoApprovalsAbove: coin.twoApprovalsAbove,
  };
}

/** It is held against the whole address. */
function patternOf(
  { addressPattern }: CoinContent,
  complain: (why: string) => never,
): RegExp | undefined {
  if (addressPattern === undefined) return undefined;
  try {
    return new RegExp(`^(?:${addressPattern})$`, 'u');
  } catch (error) {
    return complain(error instanceof Error ? error.message : String(error));
  }
}

/** Plain HTTP stays on this machine; the secret is in no file. */
function webhookOf(
  { webhooks }: PaymentsContent,
  { env }: Surroundings,
  complain: (path: readonly string[], why: string) => never,
): WebhookSettings | undefined {
  if (webhooks === undefined) return undefined;
  const place = ['webhooks', 'url'];
  const { url } = webhooks;
  if (!URL.canParse(url)) return complain(place, 'no address');
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''))) {
    return complain(place, 'https is needed beyond this machine');
  }
  const secret = env.OUTCRY_WEBHOOK_SECRET ?? '';
  if (secret.length < SECRET_LENGTH_MIN) {
    return complain(
      ['webhooks'],
      `OUTCRY_WEBHOOK_SECRET needs ${SECRET_LENGTH_MIN} characters or more`,
    );
  }
  return { url, secret };
}
