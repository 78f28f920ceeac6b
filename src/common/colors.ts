/** A colour as specification 2.10 shows it: `#RRGGBB`. */
export const HEX_COLOR = /^#[0-9a-f]{6}$/i;

/** The contrast of white text on a colour, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastToWhite(color: string): number {
  return 1.05 / (luminance(color) + 0.05);
}

/** The colour with so much left of each channel, in upper case: it stands out from white no less than the colour does. */
export function darkened(color: string, left: number): string {
  const parts = channels(color).map((channel) =>
    Math.floor(channel * left)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${parts.join('')}`.toUpperCase();
}

/** WCAG 2.2, "relative luminance": from 0 (black) to 1 (white). */
function luminance(color: string): number {
  const [red, green, blue] = channels(color).map(linear) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
