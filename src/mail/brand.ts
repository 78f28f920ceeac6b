/** How an organization looks in its mails (specification 2.10). */
export interface Brand {
  name: string;
  /** Absolute URL of its logo; empty when it has none. */
  logo: string;
  /** `#RRGGBB` */
  primary: string;
}

const HEX = /^#[0-9a-f]{6}$/i;
const FALLBACK = '#1F6FEB';

/** The colour, or the platform's where it is none: it becomes part of a style. */
export function safeColor(color: string): string {
  return HEX.test(color) ? color : FALLBACK;
}

/** Black or white letters, whichever can be read better on this colour (WCAG 2.2, relative luminance). */
export function inkOn(color: string): '#ffffff' | '#111827' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16)));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // Contrast with white, against contrast with the dark ink, whose own luminance is near 0.01.
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.06 ? '#ffffff' : '#111827';
}

/** A light shade of the colour: a share of it on the grey of a bar's track. */
export function tint(color: string): string {
  const mixed = [1, 3, 5].map((at) => {
    const [own, track] = [color, TRACK].map((each) => Number.parseInt(each.slice(at, at + 2), 16));
    return Math.round(0.45 * (own ?? 0) + 0.55 * (track ?? 0));
  });
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** What bars run on. */
export const TRACK = '#dde4ee';

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
