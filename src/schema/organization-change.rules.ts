import { wireName } from '../engine/wire.js';
import { normalizeOrganization, organizationRules, type NormalizedOrganization } from './organization.rules.js';
import { FaultCollector } from './fault-collector.js';
import { shape, type JsonRecord } from './rules.js';

/**
 * Every fault of a change of an organization: of each field that is sent what creation would tell of it. Rules that look
 * at more than one field look within one item of a list, and lists are sent whole: what is right when it is sent is
 * right in the record, whatever else the record holds.
 */
export function organizationChangeFaults(input: unknown): string[] {
  const faults = new FaultCollector('organization');
  changeShape(input, faults, []);
  return faults.messages;
}

/** The fields that a change sends, as they are stored; null is empty. Call it only with input that has no faults. */
export function normalizeOrganizationChange(input: unknown): Partial<NormalizedOrganization> {
  const sent = input as JsonRecord;
  // A whole organization has a name; one that was not sent is taken out again.
  const whole = normalizeOrganization({ ...sent, name: sent.name ?? '' });
  return Object.fromEntries(Object.entries(whole).filter(([field]) => sent[wireName(field)] !== undefined));
}

/** Absent leaves a field as it is. A name that is sent has to be one, and null is none. */
const changeShape = shape({
  ...organizationRules,
  name: (value, faults, owner) => {
    if (value !== undefined) organizationRules.name(value, faults, owner);
  },
});
