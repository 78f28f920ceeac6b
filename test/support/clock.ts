import { HOUR } from '../../src/common/time.js';

/** A clock that stops until it is moved; it begins at a whole second near the machine's time. */
export class TestClock {
  private readonly start = Math.floor(Date.now() / 1000) * 1000;
  private elapsed = 0;

  readonly now = (): Date => new Date(this.start + this.elapsed);

  /** An instant this many hours after the beginning, or before it if negative. */
  at(hours: number): Date {
    return new Date(this.start + hours * HOUR);
  }

  /** Moves the clock to this many hours (and milliseconds) after the beginning. */
  set(hours: number, milliseconds = 0): void {
    this.elapsed = hours * HOUR + milliseconds;
  }
}
