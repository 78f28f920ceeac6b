import type { ComponentChildren } from 'preact';
import type { Tone } from './basics.js';

interface FigureProps {
  label: string;
  value: ComponentChildren;
  tone: Tone;
  /** Below the value. */
  detail?: ComponentChildren;
  href?: string | undefined;
}

/** A prominent number. */
export function Figure({ label, value, tone, detail, href }: FigureProps) {
  const content = (
    <>
      <span class="figure-label">{label}</span>
      <span class={`figure-value ${tone}`}>{value}</span>
      {detail !== undefined && <span class="figure-detail">{detail}</span>}
    </>
  );
  return href === undefined ? (
    <div class="figure">{content}</div>
  ) : (
    <a class="figure" href={href}>
      {content}
    </a>
  );
}
