import { wireName } from '../engine/wire.js';
import { badUserInput } from '../errors.js';
import { FaultCollector } from './fault-collector.js';
import { type Rule } from './rules.js';

/**
 * Holds the fields of an input against rules beyond their types, all at once; each fault names the field as REST spells
 * it, so that it has one text through both doors. Throws BAD_USER_INPUT.
 */
export function checkInput<Input extends object>(
  input: Input,
  rules: { readonly [Field in keyof Input]?: Rule },
): void {
  const faults = new FaultCollector('input');
  for (const [field, rule] of Object.entries(rules) as [keyof Input & string, Rule][]) {
    faults.at(wireName(field), input[field], rule, input as never);
  }
  if (faults.messages.length > 0) throw badUserInput(faults.messages);
}
