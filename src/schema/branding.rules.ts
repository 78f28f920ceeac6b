import { badUserInput } from '../errors.js';
import { contrastToWhite, HEX_COLOR } from '../vocabulary/colors.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { UpdateBrandingInput } from './branding.input.js';
import { FaultCollector } from './fault-collector.js';
import { optional, optionalText, type Rule, shape, trimmedText } from './rules.js';

const { paletteCharacters, leastContrast } = LIMITS.branding;

/** Throws BAD_USER_INPUT with all faults, in REST's spelling. */
export function checkBranding({ palette, customColors }: UpdateBrandingInput): void {
  const faults = new FaultCollector('branding');
  faults.at('palette', palette, optionalText(trimmedText(paletteCharacters)), []);
  if (customColors != null) {
    const { primary, primaryHover, primaryDark } = customColors;
    const colors = { primary, primary_hover: primaryHover, primary_dark: primaryDark };
    faults.at('custom_colors', colors, colorsRule, []);
  }
  if (faults.messages.length > 0) throw badUserInput(faults.messages);
}

/** Buttons carry white text, whichever of the three they show. */
const color: Rule = (value, faults) => {
  if (typeof value !== 'string' || !HEX_COLOR.test(value)) return faults.add('must be a colour such as #1F6FEB');
  const contrast = contrastToWhite(value);
  if (contrast >= leastContrast) return;
  // Cut, not rounded: 4.498 must not be told as 4.50.
  const shown = (Math.floor(contrast * 100) / 100).toFixed(2);
  faults.add(`has a contrast of ${shown} to white text; at least ${leastContrast} is needed`);
};

const colorsRule = shape({ primary: color, primary_hover: optional(color), primary_dark: optional(color) });
