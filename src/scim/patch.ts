import { plainText } from '../common/plain-text.js';
import {
  invalidValue,
  ScimError,
  type ScimEmail,
  type ScimGroupValues,
  type ScimUserValues,
} from '../common/scim-resources.js';
import {
  attributesOf,
  booleanOf,
  emailsOf,
  GROUP_SCHEMA,
  isEnterprise,
  membersOf,
  NAME_PARTS,
  NAME_PARTS_NOT_STORED,
  nameOf,
  NOT_STORED,
  optionalText,
  READ_ONLY,
  requiredText,
  requireKnown,
  USER_SCHEMA,
} from './attributes.js';
import { textIn } from './filter.js';

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:patchop';

interface Change {
  op: 'add' | 'replace' | 'remove';
  /** Names in lower case; empty where a name is absent. */
  attribute: string;
  sub: string;
  /** The condition that selects among the values of the attribute, in any case. */
  where: { name: string; value: string } | undefined;
  value: unknown;
  /** Whether the path was given: attributes set by the gateway are ignored only where a whole resource is sent. */
  isNamed: boolean;
}

/** The changes of a PATCH (RFC 7644, 3.5.2), one for each attribute. Throws ScimError for an invalid one. */
export function changesFrom(body: unknown): Change[] {
  const message = attributesOf(body, 'The body');
  requireKnown(message, ['schemas', 'operations'], 'The body');
  const schemas = message.get('schemas');
  const isPatch = Array.isArray(schemas) && schemas.some((schema) => plainText(schema).toLowerCase() === PATCH_SCHEMA);
  const operations = message.get('operations');
  if (!isPatch || !Array.isArray(operations) || operations.length === 0)
    throw new ScimError(400, 'The body must be a PatchOp with Operations', 'invalidSyntax');
  return operations.flatMap((operation: unknown) => changesOf(attributesOf(operation, 'Each of Operations')));
}

function changesOf(operation: ReadonlyMap<string, unknown>): Change[] {
  requireKnown(operation, ['op', 'path', 'value', 'name'], 'Each of Operations');
  const op = plainText(operation.get('op')).toLowerCase();
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    throw new ScimError(400, 'op must be add, replace or remove', 'invalidSyntax');
  const path = operation.get('path');
  const value = operation.get('value');
  if (path !== undefined && path !== null && path !== '') {
    if (op !== 'remove' && value === undefined) throw invalidValue('An operation has no value');
    return [{ op, ...pathOf(path), value, isNamed: true }];
  }
  if (op === 'remove') throw new ScimError(400, 'An operation that removes must have a path', 'noTarget');
  // Each of its attributes is a path: Entra ID sends `name.familyName` and value paths there as well.
  return [...attributesOf(value, 'value')].map(([name, each]) => ({
    op,
    ...pathOf(name),
    value: each,
    isNamed: false,
  }));
}

const PATH = /^([a-z][\w$-]*)(?:\[\s*([a-z]+)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*\])?(?:\.([a-z$][\w$-]*))?$/i;
const SCHEMAS = [USER_SCHEMA, GROUP_SCHEMA].map((schema) => `${schema}:`.toLowerCase());

function pathOf(path: unknown): Pick<Change, 'attribute' | 'sub' | 'where'> {
  const text = typeof path === 'string' ? path.trim() : '';
  if (isEnterprise(text.toLowerCase())) return { attribute: text.toLowerCase(), sub: '', where: undefined };
  const schema = SCHEMAS.find((each) => text.toLowerCase().startsWith(each));
  const [, attribute, name, quoted = '', sub = ''] = PATH.exec(text.slice(schema?.length ?? 0)) ?? [];
  const value = quoted.startsWith('"') ? textIn(quoted) : quoted;
  if (attribute === undefined || value === undefined) throw invalidPath();
  const where = name === undefined ? undefined : { name: name.toLowerCase(), value };
  return { attribute: attribute.toLowerCase(), sub: sub.toLowerCase(), where };
}

function invalidPath(): ScimError {
  return new ScimError(400, 'A path is not one that this resource supports', 'invalidPath');
}

/** Throws for attributes set by the gateway; returns whether the change is ignored. */
function isPassedOver({ attribute, isNamed }: Change): boolean {
  if (!READ_ONLY.has(attribute)) return NOT_STORED.has(attribute) || isEnterprise(attribute);
  if (isNamed) throw new ScimError(400, 'An attribute is read-only', 'mutability');
  return true;
}

export function patchedUser(before: ScimUserValues, changes: readonly Change[]): ScimUserValues {
  const user = { ...before };
  for (const change of changes) if (!isPassedOver(change)) patchUser(user, change);
  return user;
}

function patchUser(user: ScimUserValues, change: Change): void {
  const { op, attribute, sub, where, value } = change;
  if (attribute === 'emails') return void (user.emails = patchedEmails(user.emails, change));
  if (where !== undefined) throw invalidPath();
  if (attribute === 'name') return void Object.assign(user, patchedName(change));
  if (sub !== '') throw invalidPath();
  const given = op === 'remove' ? undefined : value;
  if (attribute === 'username') user.userName = requiredText(given, 'userName');
  else if (attribute === 'active') user.active = booleanOf(given, 'active');
  else if (attribute === 'externalid') user.externalId = optionalText(given, 'externalId');
  else if (attribute === 'displayname') user.displayName = optionalText(given, 'displayName');
  else throw invalidPath();
}

function patchedName({ op, sub, value }: Change): Partial<ScimUserValues> {
  if (sub === '') return op === 'remove' || value === null ? { givenName: null, familyName: null } : nameOf(value);
  const part = NAME_PARTS.get(sub);
  if (part !== undefined) return { [part]: op === 'remove' ? null : optionalText(value, `name.${part}`) };
  if (NAME_PARTS_NOT_STORED.has(sub)) return {};
  throw invalidPath();
}

function patchedEmails(before: readonly ScimEmail[], { op, sub, where, value }: Change): ScimEmail[] {
  if (where === undefined) {
    if (sub !== '') throw invalidPath();
    const given = emailsOf(value);
    if (op === 'replace') return given;
    const values = new Set(given.map((email) => email.value.toLowerCase()));
    const others = before.filter((email) => !values.has(email.value.toLowerCase()));
    if (op === 'add') return withOnePrimary(others, given);
    return value === undefined || value === null ? [] : others;
  }
  const isSelected = selector(where);
  const others = before.filter((email) => !isSelected(email));
  if (sub === '' && (op === 'remove' || value === null)) return others;
  if (!['', 'value', 'type', 'primary', 'display'].includes(sub)) throw invalidPath();
  if (sub === 'display') return [...before];
  const given = sub === '' ? partsOf(value) : { [sub]: op === 'remove' ? undefined : value };
  const found = before.filter(isSelected);
  if (op === 'remove' && found.length === 0) return [...before];
  // Entra ID sets the address of work in this way where there is none yet.
  const selected = found.length > 0 ? found : [inverse(where)];
  return withOnePrimary(others, emailsOf(selected.map((email) => ({ ...email, ...given }))));
}

/** The given parts of an address; those that are absent stay unchanged. */
function partsOf(value: unknown): object {
  const [part, ...more] = Array.isArray(value) ? value : [value];
  if (more.length > 0) throw invalidValue('Selected emails can be given one value');
  return Object.fromEntries(attributesOf(part, 'Each of emails'));
}

/** The others are no longer primary when one that is given is (RFC 7644, 3.5.2). */
function withOnePrimary(others: readonly ScimEmail[], given: readonly ScimEmail[]): ScimEmail[] {
  const isTaken = given.some(({ primary }) => primary);
  return emailsOf([
    ...others.map((email) => (isTaken && email.primary ? { ...email, primary: false } : email)),
    ...given,
  ]);
}

function selector({ name, value }: NonNullable<Change['where']>): (email: ScimEmail) => boolean {
  const wanted = value.toLowerCase();
  if (name === 'type' || name === 'value') return (email) => email[name]?.toLowerCase() === wanted;
  if (name === 'primary') return (email) => String(email.primary ?? false) === wanted;
  throw invalidPath();
}

const inverse = ({ name, value }: NonNullable<Change['where']>) => ({
  [name]: name === 'primary' ? value.toLowerCase() === 'true' : value,
});

export function patchedGroup(before: ScimGroupValues, changes: readonly Change[]): ScimGroupValues {
  const members = new Set(before.members);
  const group = { ...before, members };
  for (const change of changes) {
    const { op, attribute, sub, where, value } = change;
    if (READ_ONLY.has(attribute) && isPassedOver(change)) continue;
    if (attribute === 'members' && sub === '') patchMembers(members, change);
    else if (where !== undefined || sub !== '') throw invalidPath();
    else if (attribute === 'displayname')
      group.displayName = requiredText(op === 'remove' ? undefined : value, 'displayName');
    else if (attribute === 'externalid')
      group.externalId = optionalText(op === 'remove' ? undefined : value, 'externalId');
    else throw invalidPath();
  }
  return group;
}

function patchMembers(members: Set<string>, { op, where, value }: Change): void {
  if (where !== undefined) {
    if (where.name !== 'value' || op !== 'remove') throw invalidPath();
    return void members.delete(where.value.toLowerCase());
  }
  const given = membersOf(value);
  // One that removes with a value names whom: so do Entra ID and authentik.
  if (op === 'replace' || (op === 'remove' && (value === undefined || value === null))) members.clear();
  for (const member of given) if (op === 'remove') members.delete(member);
  if (op !== 'remove') for (const member of given) members.add(member);
}
