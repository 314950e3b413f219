/** The frame of the house for the documents. */
import Type from 'typebox';
import { refuse } from '#domain';
import type { DocumentedFrame } from '../docs/documented.ts';
import { TIME_MS } from './examples.ts';
import { HOUSE_FRAME } from './house-frame.ts';

const REQUEST_TIME = Type.Integer({ description: 'Unix time in milliseconds' });

export const DOCUMENTED_FRAME: DocumentedFrame = {
  success: (data) =>
    Type.Object({
      code: Type.Literal('00000'),
      msg: Type.Literal('success'),
      message: Type.Literal('success'),
      requestTime: REQUEST_TIME,
      data,
    }),
  successExample: (data) => JSON.parse(HOUSE_FRAME.around(TIME_MS).join(JSON.stringify(data))),
  refusal: Type.Object(
    {
      code: Type.String({ description: 'Digits; docs/REJECTS.md has them all' }),
      msg: Type.String({ description: 'What is wrong and, after a colon, the value it is about' }),
      message: Type.String({ description: 'The same' }),
      requestTime: REQUEST_TIME,
      data: Type.Null(),
    },
    {
      title: 'Refusal',
      examples: [JSON.parse(HOUSE_FRAME.refusal(refuse('order_unknown'), TIME_MS).body)],
    },
  ),
};
