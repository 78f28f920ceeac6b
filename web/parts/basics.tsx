import { useContext, useEffect, useId, useState } from 'preact/hooks';
import { createContext, type ComponentChildren } from 'preact';
import { READER_ZONE } from '../days.js';
import { applicable, type Progress } from '../progress.js';
import { dayIn, instant, number, span, text } from '../texts.js';

/** The time zone of the organization of a page. */
export const Zone = createContext<string | undefined>(undefined);

/** The zone of the days of a page: the organization's, or the reader's without one. */
export const useZone = () => useContext(Zone) ?? READER_ZONE;

/** Hint of date fields: their zone, if it is not the reader's. */
export function useZoneHint(): string | undefined {
  const zone = useZone();
  return zone === READER_ZONE ? undefined : text('pages.time.zone', { zone });
}

export type Tone = 'good' | 'warn' | 'bad' | 'quiet';

interface CardProps {
  title: string;
  count?: number | undefined;
  /** Beside the title. */
  action?: ComponentChildren;
  children: ComponentChildren;
}

/** The id of the title of a card. */
export const CardTitle = createContext<string | undefined>(undefined);

/** A section of a page with a heading. */
export function Card({ title, count, action, children }: CardProps) {
  const id = useId();
  return (
    <section class="card">
      <div class="card-head">
        <h2>
          <span id={id}>{title}</span> {count !== undefined && <span class="count">{number(count)}</span>}
        </h2>
        {action}
      </div>
      <CardTitle.Provider value={id}>{children}</CardTitle.Provider>
    </section>
  );
}

/** The text of an empty list. */
export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>;

/** Number of entries beyond those that a list shows. */
export const More = ({ count }: { count: number }) =>
  count > 0 ? <Empty>{text('pages.more', { count })}</Empty> : null;

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** The person of the preceding text: its owner or author. */
export const Person = ({ user }: { user: { username: string } | null }) =>
  user === null ? null : (
    <>
      {' '}
      · <bdi>{user.username}</bdi>
    </>
  );

export function Instant({ at }: { at: string }) {
  const zone = useContext(Zone);
  return <time dateTime={at}>{instant(at, zone)}</time>;
}

export function Day({ date }: { date: string }) {
  const zone = useZone();
  return <time dateTime={date}>{dayIn(date, zone)}</time>;
}

const TICK = 30_000;

/** The current time, updated as often as a countdown changes. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  return now;
}

const SOON = 24 * 3_600_000;

export function toneOf(dueAt: string, now: number): Tone {
  const left = Date.parse(dueAt) - now;
  if (left < 0) return 'bad';
  return left < SOON ? 'warn' : 'quiet';
}

/** Time until a deadline, or since it. */
export function Countdown({ to }: { to: string }) {
  const left = Date.parse(to) - useNow();
  const value = { span: span(left) };
  return <span class="countdown">{left < 0 ? text('pages.time.late', value) : text('pages.time.left', value)}</span>;
}

/** A bar whose parts are described by the text of `countsOf` beside it; hidden from screen readers. */
export function ProgressBar({ progress }: { progress: Progress }) {
  const total = Math.max(1, applicable(progress));
  const shares = [
    { value: progress.done, kind: 'done', label: text('pages.progress.done') },
    { value: progress.inProgress, kind: 'begun', label: text('pages.progress.begun') },
  ];
  return (
    <div class="bar-track" aria-hidden="true">
      {shares
        .filter(({ value }) => value > 0)
        .map(({ value, kind, label }) => (
          <span
            key={kind}
            class={`bar-${kind}`}
            title={`${number(value)} ${label}`}
            style={{ width: `${(100 * value) / total}%` }}
          />
        ))}
    </div>
  );
}

export const countsOf = (progress: Progress) =>
  text('pages.progress.counts', { done: progress.done, total: applicable(progress), begun: progress.inProgress });

/** One line for a file, or for a text that a person has written. */
export function excerpt(value: string, max = 140): string {
  const characters = [...value.replaceAll(/\s+/g, ' ').trim()];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('');
}
