/**
 * A text message as it goes out: the header of RFC 6455 and the text in one piece, made once and
 * written to the socket of each reader. `ws` would make a header for each and write the two apart,
 * which was a tenth of what a message to a thousand readers takes. A server masks nothing, and
 * nothing here is compressed (`perMessageDeflate` is off), so the bytes are the same for all.
 */

const WHOLE_TEXT = 0x81;
/** What stands in place of a length, which then follows in so many bytes. */
const LENGTH_IN_2 = 126;
const LENGTH_IN_8 = 127;
const LENGTH_MAX_IN_2 = 65_535;

export class Frame {
  readonly bytes: Buffer;

  constructor(...parts: readonly Buffer[]) {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    this.bytes = Buffer.concat([headerOf(length), ...parts]);
  }

  static ofText(text: string): Frame {
    return new Frame(Buffer.from(text));
  }

  get length(): number {
    return this.bytes.length;
  }
}

function headerOf(length: number): Buffer {
  if (length < LENGTH_IN_2) return Buffer.from([WHOLE_TEXT, length]);
  if (length <= LENGTH_MAX_IN_2) {
    const header = Buffer.from([WHOLE_TEXT, LENGTH_IN_2, 0, 0]);
    header.writeUInt16BE(length, 2);
    return header;
  }
  const header = Buffer.from([WHOLE_TEXT, LENGTH_IN_8, 0, 0, 0, 0, 0, 0, 0, 0]);
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}
