import { composed } from '../common/composed-text.js';
import { textError } from '../common/json-text.js';
import { plainText } from '../common/plain-text.js';
import { invalidValue, ScimError, type ScimEmail, type ScimUserValues } from '../common/scim-resources.js';
import { LIMITS } from '../values/limits.js';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

type Body = Readonly<Record<string, unknown>>;

/** Attributes that the gateway sets; they are ignored where a whole resource is sent. */
export const READ_ONLY: ReadonlySet<string> = new Set(['schemas', 'id', 'meta', 'groups']);

/** Attributes of RFC 7643 (4.1) that are accepted and not stored (docs/scim.md). */
export const NOT_STORED: ReadonlySet<string> = new Set([
  ...['nickname', 'profileurl', 'title', 'usertype', 'preferredlanguage', 'locale', 'timezone', 'password'],
  ...['phonenumbers', 'ims', 'photos', 'addresses', 'entitlements', 'roles', 'x509certificates'],
]);

const { nameCharacters, emailCharacters, emails: mostEmails } = LIMITS.scim;

/** Names of attributes are compared without case (RFC 7643, 2.1). Throws where one is given twice. */
export function attributesOf(value: unknown, what = 'The resource'): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ScimError(400, `${what} must be an object`, 'invalidSyntax');
  const entries = Object.entries(value as Body).map(([name, each]) => [name.toLowerCase(), each] as const);
  const attributes = new Map(entries);
  if (attributes.size < entries.length)
    throw new ScimError(400, `${what} has an attribute twice, in another case`, 'invalidSyntax');
  return attributes;
}

/** A resource that says its schemas must have this one among them. authentik says none. */
export function requireSchema(attributes: ReadonlyMap<string, unknown>, schema: string): void {
  const said = attributes.get('schemas') ?? [];
  const schemas = Array.isArray(said) ? said : [said];
  if (schemas.length > 0 && !schemas.some((each) => plainText(each).toLowerCase() === schema.toLowerCase()))
    throw new ScimError(400, 'schemas must have the schema of the resource', 'invalidSyntax');
}

/** Null for an absent or empty one. */
export function optionalText(value: unknown, name: string, max: number = nameCharacters): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw invalidValue(`${name} must be a text`);
  const text = composed(value).trim();
  if ([...text].length > max) throw invalidValue(`${name} must have ${max} characters at most`);
  if (textError(text) !== undefined || HIDDEN.test(text)) throw invalidValue(`${name} must be a line of text`);
  return text || null;
}

const HIDDEN = /\p{Cc}/u;

export function requiredText(value: unknown, name: string): string {
  const text = optionalText(value, name);
  if (text === null) throw invalidValue(`${name} is required`);
  return text;
}

/** Entra ID sends texts such as "False". */
export function booleanOf(value: unknown, name: string): boolean {
  const known = typeof value === 'string' ? { true: true, false: false }[value.toLowerCase()] : value;
  if (typeof known !== 'boolean') throw invalidValue(`${name} must be true or false`);
  return known;
}

export function emailsOf(value: unknown): ScimEmail[] {
  if (value === undefined || value === null) return [];
  const items = Array.isArray(value) ? value : [value];
  if (items.length > mostEmails) throw invalidValue(`emails must have ${mostEmails} items at most`);
  const emails = items.flatMap((item: unknown) => {
    const attributes = attributesOf(item, 'Each of emails');
    requireKnown(attributes, ['value', 'type', 'primary', 'display', '$ref'], 'emails');
    return emailOf(attributes);
  });
  // RFC 7643, 2.4.
  if (emails.filter(({ primary }) => primary).length > 1) throw invalidValue('Only one of emails can be primary');
  return emails;
}

/** None where there is no address: some directories send an empty one. */
function emailOf(attributes: ReadonlyMap<string, unknown>): ScimEmail[] {
  const value = optionalText(attributes.get('value'), 'emails.value', emailCharacters);
  if (value === null) return [];
  const type = optionalText(attributes.get('type'), 'emails.type');
  const primary = attributes.get('primary');
  return [
    {
      value,
      ...(type !== null && { type }),
      ...(primary !== undefined && primary !== null && { primary: booleanOf(primary, 'emails.primary') }),
    },
  ];
}

/** Parts of a name that are stored, by their names in lower case. */
export const NAME_PARTS: ReadonlyMap<string, 'givenName' | 'familyName'> = new Map([
  ['givenname', 'givenName'],
  ['familyname', 'familyName'],
]);
export const NAME_PARTS_NOT_STORED: ReadonlySet<string> = new Set([
  ...['formatted', 'middlename', 'honorificprefix', 'honorificsuffix'],
]);

/** The parts of a name that are given. */
export function nameOf(value: unknown): Partial<Pick<ScimUserValues, 'givenName' | 'familyName'>> {
  if (value === undefined || value === null) return {};
  const attributes = attributesOf(value, 'name');
  requireKnown(attributes, [...NAME_PARTS.keys(), ...NAME_PARTS_NOT_STORED], 'name');
  const parts = [...NAME_PARTS].filter(([key]) => attributes.has(key));
  return Object.fromEntries(parts.map(([key, name]) => [name, optionalText(attributes.get(key), `name.${name}`)]));
}

/** Ids of users. */
export function membersOf(value: unknown): Set<string> {
  if (value === undefined || value === null) return new Set();
  const items = Array.isArray(value) ? value : [value];
  return new Set(
    items.map((item: unknown) => {
      const attributes = attributesOf(item, 'Each of members');
      requireKnown(attributes, ['value', '$ref', 'display', 'type'], 'members');
      const type = attributes.get('type');
      if (type !== undefined && type !== null && plainText(type).toLowerCase() !== 'user')
        throw invalidValue('members must be users: groups within groups are not supported');
      return requiredText(attributes.get('value'), 'members.value').toLowerCase();
    }),
  );
}

export function requireKnown(
  attributes: ReadonlyMap<string, unknown>,
  known: Iterable<string>,
  what: string,
  isIgnored: (name: string) => boolean = () => false,
): void {
  const names = new Set(known);
  for (const name of attributes.keys())
    if (!names.has(name) && !isIgnored(name))
      throw new ScimError(400, `${what} has an attribute that is not in its schema`, 'invalidSyntax');
}

/** Whether an attribute of a user is ignored: set by the gateway, not stored, or of the enterprise extension. */
export function isIgnoredOfUser(name: string): boolean {
  return READ_ONLY.has(name) || NOT_STORED.has(name) || isEnterprise(name);
}

export function isEnterprise(name: string): boolean {
  const schema = ENTERPRISE_SCHEMA.toLowerCase();
  return name === schema || name.startsWith(`${schema}:`);
}
