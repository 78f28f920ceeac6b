/** All chunks concatenated; throws as soon as there are more than `maxBytes`. */
export async function collected(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxBytes) throw tooLarge();
    all.push(piece);
  }
  return Buffer.concat(all);
}
