/** Payments, as the door of people shows them. */
export * from './asking.ts';
export * from './deciding.ts';
export {
  FEES_ACCOUNT,
  HOLDING_ACCOUNT,
  isOfPayments,
  looksLikePayments,
  type PaymentParts,
  type PaymentVenue,
} from './parts.ts';
export { Payments } from './payments.ts';
export {
  type CoinRules,
  coinAsHeld,
  NO_PAYMENTS,
  type PaymentSettings,
  rulesOf as coinRulesOf,
  type Terms as PaymentLimits,
  termsOf as paymentTermsOf,
  type WebhookSettings,
} from './rules.ts';
