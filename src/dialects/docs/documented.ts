/** What a dialect brings to the documents: its endpoints, and how its calls and answers look. */
import type { TObject, TSchema } from 'typebox';
import type { Endpoint } from '#api';

export interface DocumentedDialect {
  /** Its tables of endpoints, by the name that their operations begin with. */
  readonly tables: Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;
  /** How a call shows who makes it, in a sentence or two. */
  readonly authentication: string;
  /** The security schemes, all of which a call has to meet that needs a permission. */
  readonly securitySchemes: Readonly<Record<string, object>>;
  /** Under which heading a path is listed. */
  chapter(path: string): string;
  readonly frame: DocumentedFrame;
}

export interface DocumentedFrame {
  /** The body of a success around its data. */
  readonly success: (data: TSchema) => TSchema;
  readonly successExample: (data: unknown) => unknown;
  readonly refusal: TObject;
}
