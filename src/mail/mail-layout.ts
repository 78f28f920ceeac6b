import { escapeHtml } from '../common/escape-html.js';
import type { Language } from '../messages/language.js';
import { BRANDING_DEFAULTS } from '../values/enums.js';

/** Safe HTML. Only `markup` creates it, which escapes all other values. */
class Markup {
  constructor(private readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

export type { Markup };

type Value = Markup | string | number | readonly Markup[];

/** A template of HTML: text between its parts is escaped, for between tags and inside quoted attributes alike. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(parts.reduce((text, part, index) => `${text}${shown(values[index - 1] ?? '')}${part}`));
}

function shown(value: Value): string {
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'object') return value.join('');
  return escapeHtml(String(value));
}

interface MailParts {
  language: Language;
  title: string;
  /** The line that an inbox shows beside the subject. */
  preheader: string;
  brand: Brand;
  /** Of the organization that it is about: the mail says so. */
  sandbox?: boolean | undefined;
  /** Rows of the inner table: `<tr>…</tr>`. */
  body: Markup;
  footer: Markup;
}

/**
 * A whole mail as mail programs show it: tables for boxes, styles at each element, one column of 600 pixels that
 * shrinks. The only style sheet turns it dark where the reader's screen is; programs that drop it show it light.
 */
export function mailLayout({ language, title, preheader, brand, sandbox, body, footer }: MailParts): string {
  const note = sandbox ? section(language.text('mail.sandbox.note'), markup``) : '';
  return markup`<!doctype html>
<html lang="${language.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${title}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
.paper { background-color: #0d1420 !important; }
.card { background-color: #141e2d !important; }
.ink { color: #e6edf7 !important; }
.quiet { color: #9fb0c8 !important; }
.line { border-color: #263449 !important; }
.track { background-color: #2b3a52 !important; }
}
@media (max-width: 620px) {
.card { width: 100% !important; }
.cell { padding-left: 16px !important; padding-right: 16px !important; }
}
</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:#f3f5f9;">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;font-size:1px;line-height:1px;opacity:0;">${preheader}</div>
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f3f5f9" style="background-color:#f3f5f9;">
<tr><td align="center" style="padding:24px 8px;">
<table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="width:600px;max-width:100%;background-color:#ffffff;border-radius:8px;">
<tr><td class="cell" bgcolor="${brand.primary}" style="padding:20px 32px;background-color:${brand.primary};border-radius:8px 8px 0 0;font-family:${FONT};font-size:18px;line-height:24px;font-weight:bold;color:#ffffff;">${nameplate(brand)}</td></tr>
${note}${body}
<tr><td class="cell quiet line" style="padding:20px 32px 24px;border-top:1px solid #dde4ee;font-family:${FONT};font-size:13px;line-height:20px;color:#55637a;">${footer}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.toString();
}

export const FONT = markup`-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

/** Images are often blocked: the name is beside the logo, not in it. */
function nameplate({ name, logo }: Brand): Markup {
  if (logo === '') return markup`${name}`;
  return markup`<img src="${logo}" alt="" height="32" style="height:32px;max-width:160px;border:0;vertical-align:middle;margin-right:12px;">${name}`;
}

/** A subject or title with the mark of sandboxes before it, once. */
export function markedAsSandbox(text: string, language: Language): string {
  const mark = language.text('mail.sandbox.mark');
  return text.startsWith(mark) ? text : `${mark} ${text}`;
}

/** A row of the inner table with a heading of its own. */
export function section(heading: string, content: Markup): Markup {
  return markup`<tr><td class="cell" style="padding:20px 32px 4px;font-family:${FONT};">
<h2 class="ink" style="margin:0 0 8px;font-size:16px;line-height:22px;color:#16202e;">${heading}</h2>
${content}
</td></tr>`;
}

/** A paragraph of running text. */
export function paragraph(content: Markup): Markup {
  return markup`<p class="ink" style="margin:0 0 12px;font-family:${FONT};font-size:15px;line-height:23px;color:#16202e;">${content}</p>`;
}

/** A text that people have written, set apart from the words of the mail itself. */
export function quotation(text: string): Markup {
  return markup`<blockquote class="ink line" style="margin:0 0 12px;padding:8px 16px;border-left:4px solid #dde4ee;font-family:${FONT};font-size:15px;line-height:23px;color:#16202e;">${text}</blockquote>`;
}

/** A link that looks like a button, also where only tables have colours. */
export function button({ primary }: Brand, href: string, label: string): Markup {
  return markup`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="${primary}" style="background-color:${primary};border-radius:6px;"><a href="${href}" style="display:inline-block;padding:12px 24px;font-family:${FONT};font-size:15px;font-weight:bold;color:#ffffff;text-decoration:none;">${label}</a></td></tr></table>`;
}

/** How an organization looks in its mails (specification 2.10). */
export interface Brand {
  name: string;
  /** Absolute URL of its logo; empty when it has none. */
  logo: string;
  /** `#RRGGBB`, on which white letters can be read (common/formats.ts). */
  primary: string;
}

/** A light shade of the colour: a share of it on the grey of a bar's track. */
export function tint(color: string): string {
  const mixed = [1, 3, 5].map((at) => {
    const [own, track] = [color, TRACK].map((each) => Number.parseInt(each.slice(at, at + 2), 16));
    return Math.round(0.45 * (own ?? 0) + 0.55 * (track ?? 0));
  });
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** Colour of the track behind bars. */
export const TRACK = '#dde4ee';

/** The brand of mails without an organization. */
export const PLATFORM: Brand = {
  name: 'Compliance Gateway',
  logo: '',
  primary: BRANDING_DEFAULTS.customColors.primary,
};

const MAX_CHARACTERS = 60;

/** A text that people have written, as much of it as a line of ours quotes; the messages have the marks. */
export function shortened(text: string): string {
  const characters = [...text];
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…` : text;
}
