/** Gathers a token that came in pieces. It copies, so that one kept byte does not hold a whole chunk in memory. */
export class ByteCollector {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Copies the piece behind what is there. */
  add(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) this.#grow(length);
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** A view that is good until the next `add`. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(length: number): void {
    const wider = Buffer.allocUnsafe(Math.max(length, this.#bytes.length * 2));
    this.#bytes.copy(wider, 0, 0, this.#length);
    this.#bytes = wider;
  }
}
