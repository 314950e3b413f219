/**
 * The price that a trigger looks at. The contract of this wire knows the last price only, so the
 * fields are extensions that may be left out.
 */
import { WORKING_PRICES, type WorkingPrice } from '#domain';
import type { Field } from '../kit/request.ts';
import * as schema from '../kit/schema.ts';

export const TRIGGER_TYPE_WORDS = WORKING_PRICES;

const TRIGGER_TYPES: ReadonlyMap<string, WorkingPrice | undefined> = new Map(
  WORKING_PRICES.map((working) => [working, working]),
);

/** Undefined when it is left out. */
export function triggerType(description: string): Field<WorkingPrice | undefined> {
  return {
    schema: schema.optional(
      `${description}: last, the default, mark or index (an extension)`,
      schema.choices(...TRIGGER_TYPE_WORDS),
    ),
    read: (fields, name) => fields.choice(name, TRIGGER_TYPES, undefined),
  };
}

export const PRESET_TYPES = {
  presetTakeProfitTriggerType: triggerType('Price that presetTakeProfitPrice looks at'),
  presetStopLossTriggerType: triggerType('Price that presetStopLossPrice looks at'),
};
