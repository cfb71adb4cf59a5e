// MessagePack as Parlour uses it: null, booleans, numbers, strings, bytes, arrays and maps, always in the shortest form.
// That form is canonical, so scenes are hashed by their encoding. Written by hand to guarantee that, and because the SDK
// has no dependencies.

const text = new TextEncoder();
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** A value that both wire formats can carry. */
export type Value = null | boolean | number | string | Uint8Array | Value[] | { [key: string]: Value };

/** Encode a value. Fields that are `undefined` are left out, as in JSON. */
export function encode(value: unknown): Uint8Array<ArrayBuffer> {
  const writer = new Writer();
  writer.value(value);
  return writer.bytes();
}

/** Decode a value. Throws if the bytes are not MessagePack, or if bytes are left over. */
export function decode(bytes: Uint8Array | ArrayBuffer): unknown {
  const reader = new Reader(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes));
  const value = reader.value();
  if (!reader.done) throw new RangeError("something follows the message");
  return value;
}

class Writer {
  #data = new Uint8Array(256);
  #view = new DataView(this.#data.buffer);
  #length = 0;

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#data.slice(0, this.#length);
  }

  value(value: unknown): void {
    if (value === null || value === undefined) this.#byte(0xc0);
    else if (typeof value === "boolean") this.#byte(value ? 0xc3 : 0xc2);
    else if (typeof value === "number") this.#number(value);
    else if (typeof value === "string") this.#text(value);
    else if (value instanceof Uint8Array) {
      this.#head(value.length, 0, 0, [0xc4, 0xc5, 0xc6]);
      this.#append(value);
    } else if (Array.isArray(value)) {
      this.#head(value.length, 0x90, 16, [0, 0xdc, 0xdd]);
      for (const item of value) this.value(item);
    } else if (typeof value === "object") {
      const entries = Object.entries(value).filter(([, item]) => item !== undefined);
      this.#head(entries.length, 0x80, 16, [0, 0xde, 0xdf]);
      for (const [key, item] of entries) {
        this.#text(key);
        this.value(item);
      }
    } else throw new TypeError(`a ${typeof value} cannot be sent`);
  }

  #number(value: number): void {
    if (!Number.isSafeInteger(value)) {
      const at = this.#room(9);
      this.#data[at] = 0xcb;
      this.#view.setFloat64(at + 1, value);
    } else if (value >= -32 && value <= 127) this.#byte(value & 0xff);
    else if (value > 0) {
      if (value < 2 ** 32) this.#head(value, 0, 0, [0xcc, 0xcd, 0xce]);
      else this.#wide(0xcf, value);
    } else if (value >= -(2 ** 31)) {
      const size = value >= -128 ? 1 : value >= -32768 ? 2 : 4;
      const at = this.#room(1 + size);
      this.#data[at] = size === 1 ? 0xd0 : size === 2 ? 0xd1 : 0xd2;
      if (size === 1) this.#view.setInt8(at + 1, value);
      else if (size === 2) this.#view.setInt16(at + 1, value);
      else this.#view.setInt32(at + 1, value);
    } else this.#wide(0xd3, value);
  }

  #wide(code: number, value: number): void {
    const at = this.#room(9);
    this.#data[at] = code;
    this.#view.setBigInt64(at + 1, BigInt(value));
  }

  #text(value: string): void {
    const data = text.encode(value);
    this.#head(data.length, 0xa0, 32, [0xd9, 0xda, 0xdb]);
    this.#append(data);
  }

  /** Write a length or a non-negative number: in the code itself below `few`, otherwise after the smallest code that fits. */
  #head(count: number, code: number, few: number, wider: [number, number, number]): void {
    if (count < few) this.#byte(code + count);
    else if (count < 0x100 && wider[0]) {
      this.#byte(wider[0]);
      this.#byte(count);
    } else if (count < 0x10000) {
      const at = this.#room(3);
      this.#data[at] = wider[1];
      this.#view.setUint16(at + 1, count);
    } else {
      const at = this.#room(5);
      this.#data[at] = wider[2];
      this.#view.setUint32(at + 1, count);
    }
  }

  #byte(value: number): void {
    const at = this.#room(1); // first, because it may replace the buffer
    this.#data[at] = value;
  }

  #append(data: Uint8Array): void {
    const at = this.#room(data.length);
    this.#data.set(data, at);
  }

  /** Reserve space and return its offset. */
  #room(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#data.length) {
      const larger = new Uint8Array(Math.max(this.#length, 2 * this.#data.length));
      larger.set(this.#data);
      this.#data = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }
}

class Reader {
  #data: Uint8Array;
  #view: DataView;
  #at = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  get done(): boolean {
    return this.#at === this.#data.length;
  }

  value(): unknown {
    const code = this.#number(1);
    if (code < 0x80) return code;
    if (code < 0x90) return this.#map(code & 15);
    if (code < 0xa0) return this.#array(code & 15);
    if (code < 0xc0) return this.#text(code & 31);
    if (code >= 0xe0) return code - 256;
    switch (code) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#take(this.#number(1 << (code - 0xc4))).slice();
      case 0xca:
        return this.#view.getFloat32(this.#skip(4));
      case 0xcb:
        return this.#view.getFloat64(this.#skip(8));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#number(1 << (code - 0xcc));
      case 0xcf:
        return Number(this.#view.getBigUint64(this.#skip(8)));
      case 0xd0:
        return this.#view.getInt8(this.#skip(1));
      case 0xd1:
        return this.#view.getInt16(this.#skip(2));
      case 0xd2:
        return this.#view.getInt32(this.#skip(4));
      case 0xd3:
        return Number(this.#view.getBigInt64(this.#skip(8)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#number(1 << (code - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#array(this.#number(code === 0xdc ? 2 : 4));
      case 0xde:
      case 0xdf:
        return this.#map(this.#number(code === 0xde ? 2 : 4));
      default:
        throw new RangeError(`byte ${code} begins nothing that is used here`);
    }
  }

  #array(length: number): unknown[] {
    this.#check(length);
    return Array.from({ length }, () => this.value());
  }

  #map(length: number): Record<string, unknown> {
    this.#check(2 * length);
    const map: [string, unknown][] = [];
    for (let n = 0; n < length; n++) map.push([String(this.value()), this.value()]);
    return Object.fromEntries(map); // treats a key `__proto__` like any other
  }

  #text(length: number): string {
    return utf8.decode(this.#take(length));
  }

  #take(length: number): Uint8Array {
    const at = this.#skip(length);
    return this.#data.subarray(at, at + length);
  }

  #number(size: number): number {
    const at = this.#skip(size);
    return size === 1 ? this.#view.getUint8(at) : size === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  #skip(count: number): number {
    this.#check(count);
    const at = this.#at;
    this.#at += count;
    return at;
  }

  /** Every item takes at least a byte, so a length cannot exceed what is left. */
  #check(count: number): void {
    if (this.#at + count > this.#data.length) throw new RangeError("the message ends too early");
  }
}
