import { MAX_FAULTS } from '../errors.js';
import type { JsonRecord, Rule } from './rules.js';

/** Collects one sentence per fault, each beginning with the wire path of its field: `contacts[0].email must …`. */
export class FaultCollector {
  readonly messages: string[] = [];
  private readonly path: (string | number)[] = [];

  /** `subject` names the whole input, which has no path: "organization must be an object". */
  constructor(private readonly subject: string) {}

  /** Once true, looking further only costs time: no more faults are told. */
  get full(): boolean {
    return this.messages.length >= MAX_FAULTS;
  }

  /** Runs `rule` on `owner[key]`. The path is joined only when there is a fault, so that valid input builds no text. */
  at(key: string | number, value: unknown, rule: Rule, owner: JsonRecord | readonly unknown[]): void {
    this.path.push(key);
    rule(value, this, owner);
    this.path.pop();
  }

  add(sentence: string): void {
    this.tell(`${this.where() || this.subject} ${sentence}`);
  }

  addAt(key: string | number, sentence: string): void {
    this.path.push(key);
    this.add(sentence);
    this.path.pop();
  }

  /** A key is the sender's text: it is named only when it is short and printable. */
  addUnknown(key: string): void {
    if (PRINTABLE_KEY.test(key)) return this.addAt(key, 'is not a known field');
    const where = this.where();
    this.tell(where ? `a field of ${where} is not known` : 'a field is not known');
  }

  private tell(message: string): void {
    if (!this.full) this.messages.push(message);
  }

  private where(): string {
    return this.path.reduce<string>((path, key) => {
      if (typeof key === 'number') return `${path}[${key}]`;
      return path ? `${path}.${key}` : key;
    }, '');
  }
}

const PRINTABLE_KEY = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}$/u;
