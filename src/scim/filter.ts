import { composed } from '../common/composed-text.js';
import { ScimError, type ScimFilter } from '../common/scim-resources.js';
import { GROUP_SCHEMA, USER_SCHEMA } from './attributes.js';

const TEXT = '("(?:[^"\\\\]|\\\\.)*")';
const COMPARED = new RegExp(`^\\s*([A-Za-z][\\w.:-]*)\\s+eq\\s+${TEXT}\\s*$`, 'i');
const MEMBERS = new RegExp(`^\\s*members\\s*\\[\\s*value\\s+eq\\s+${TEXT}\\s*\\]\\s*$`, 'i');

const ATTRIBUTES: Readonly<Record<'User' | 'Group', ReadonlyMap<string, ScimFilter['attribute']>>> = {
  User: new Map([
    ['username', 'userName'],
    ['externalid', 'externalId'],
  ]),
  Group: new Map([
    ['displayname', 'displayName'],
    ['externalid', 'externalId'],
    ['members', 'members'],
    ['members.value', 'members'],
  ]),
};

/** One comparison by `eq` (docs/scim.md). Throws invalidFilter for everything else. */
export function filterFrom(text: string, type: 'User' | 'Group'): ScimFilter {
  const member = MEMBERS.exec(text)?.[1];
  const [, name = 'members', quoted = member ?? ''] = COMPARED.exec(text) ?? [];
  const schema = `${type === 'User' ? USER_SCHEMA : GROUP_SCHEMA}:`.toLowerCase();
  const key = name.toLowerCase();
  const attribute = ATTRIBUTES[type].get(key.startsWith(schema) ? key.slice(schema.length) : key);
  const value = textIn(quoted);
  if (attribute === undefined || value === undefined) throw new ScimError(400, SUPPORTED[type], 'invalidFilter');
  return { attribute, value };
}

const SUPPORTED = {
  User: 'The filters are: userName eq "…", externalId eq "…"',
  Group: 'The filters are: displayName eq "…", externalId eq "…", members[value eq "…"]',
};

/** Of a text in quotation marks, as JSON has them. */
export function textIn(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
      ? composed(value).trim()
      : undefined;
  } catch {
    return undefined;
  }
}
