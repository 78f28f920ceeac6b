/**
 * Names for statements worth preparing. PostgreSQL keeps a named statement for as long as the connection lives, and
 * the texts of lists depend on the columns a client asks for: therefore a text is named only when it is seen a second
 * time, and only so many are named at all; the rest run unnamed, which is merely slower.
 */
export class StatementNames {
  private readonly seenOnce = new Set<string>();
  private readonly names = new Map<string, string>();

  constructor(private readonly limit = 400) {}

  /** The name to prepare the text by; undefined to run it unnamed. */
  nameOf(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined) return known;
    if (this.names.size >= this.limit) return undefined;
    if (!this.seenOnce.delete(text)) {
      this.remember(text);
      return undefined;
    }
    const name = `s${this.names.size}`;
    this.names.set(text, name);
    return name;
  }

  private remember(text: string): void {
    if (this.seenOnce.size >= this.limit) this.seenOnce.clear();
    this.seenOnce.add(text);
  }
}
