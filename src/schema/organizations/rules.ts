import type { ObjectRule } from '../../common/input-schema.js';
import { ENTITY_TYPES, FRAMEWORK_EXTENSIONS } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';

/** NIS2 needs its entity type; other frameworks may have one. */
export const nis2NeedsEntityType: ObjectRule = (read) => {
  const fields = read('fields') ?? {};
  if (read('value') !== 'NIS2' || typeof fields !== 'object' || Array.isArray(fields)) return [];
  // The keys inside are REST's in both APIs.
  const { entity_type: entityType } = fields as { entity_type?: unknown };
  if (entityType !== undefined && entityType !== null) return [];
  return [{ at: ['fields', 'entity_type'], sentence: 'is required when value is NIS2' }];
};

export const NIS2_PUBLISHED = {
  if: { properties: { value: { const: 'NIS2' } } },
  then: { properties: { fields: { required: ['entity_type'], properties: { entity_type: { type: 'string' } } } } },
};

/** A contact is reachable, and by e-mail if it receives the weekly report. */
export const contactHasAddress: ObjectRule = (read) => {
  if (!isBlank(read('email'))) return [];
  const errors = [];
  if (isBlank(read('phone'))) errors.push({ at: ['email'], sentence: 'must be set when {phone} is empty' });
  if (read('emailReport') === true) errors.push({ at: ['email'], sentence: 'must be set when {emailReport} is true' });
  return errors;
};

const filled = { type: 'string', minLength: 1 };

export const CONTACT_PUBLISHED = {
  anyOf: [
    { required: ['email'], properties: { email: filled } },
    { required: ['phone'], properties: { phone: filled } },
  ],
  if: { required: ['email_report'], properties: { email_report: { const: true } } },
  then: { required: ['email'], properties: { email: filled } },
};

/** The properties of a framework's `fields` that have a meaning; others are stored as sent. */
export const FRAMEWORK_FIELDS = {
  extensions: {
    type: ['array', 'null'],
    description: 'Extensions of ISO 27001.',
    maxItems: LIMITS.organization.extensions,
    items: { type: 'string', enum: FRAMEWORK_EXTENSIONS },
  },
  entity_type: {
    type: ['string', 'null'],
    description: 'Required when `value` is `NIS2`.',
    enum: [...ENTITY_TYPES, null],
  },
};

export const FRAMEWORK_JSON = {
  levels: LIMITS.organization.frameworkFieldsLevels,
  bytes: LIMITS.organization.frameworkFieldsBytes,
};

const fromMondayToSunday = 'must be from 1 (Monday) to 7 (Sunday)';

export const WEEKDAY = { minimum: fromMondayToSunday, maximum: fromMondayToSunday };

/** White space is no address and no number; another type than text has its own error. */
function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
