/**
 * Moves the clock of the importing process by the milliseconds in the file `MOVED_CLOCK`, which is read again on
 * SIGUSR2. Timers and `performance.now()` are unchanged, like on a machine whose clock is set.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const file = process.env.MOVED_CLOCK;
const { Date: Real } = globalThis;
let ahead = 0;

function read() {
  const text = readFileSync(file, 'utf8');
  ahead = Number(text);
  writeFileSync(`${file}.taken`, text);
}

read();
process.on('SIGUSR2', read);
const now = () => Real.now() + ahead;
globalThis.Date = new Proxy(Real, {
  construct: (target, given, kind) => Reflect.construct(target, given.length === 0 ? [now()] : given, kind),
  apply: () => new Real(now()).toString(),
  get: (target, name) => (name === 'now' ? now : target[name]),
});
Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + ahead });
