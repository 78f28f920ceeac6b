import { getNullableType, isEnumType, isInputObjectType, type GraphQLSchema } from 'graphql';
import { Extensions } from 'type-graphql';
import { constraintsOf, type Constraints, type Json, type ObjectRule } from '../../common/input-schema.js';

/** A text of at most `max` characters: one line, unless it may have several `lines`. */
export function Text(options: TextOptions): PropertyDecorator {
  return Constrained(text(options));
}

/** A list of at most `max` items, each of which satisfies `items`. */
export function List({ max: maxItems, min: minItems, ...rest }: ListOptions): PropertyDecorator {
  return Constrained({ ...(minItems !== undefined && { minItems }), maxItems, ...rest });
}

/** A text or list whose rules are elsewhere. */
export function CheckedBy(unchecked: string): PropertyDecorator {
  return Constrained({ unchecked });
}

/**
 * Constraints of a field, in JSON Schema's words. They are noted on the class: TypeGraphQL hands the extensions of a class
 * down to those that extend it, and those of a field not.
 */
export function Constrained(constraints: Constraints): PropertyDecorator {
  return ({ constructor }, field) => {
    Extensions({ [noteOf(String(field))]: constraints })(constructor);
  };
}

/** A rule for several fields of an input type; `published` is how JSON Schema says it. */
export function Rule(rule: ObjectRule, published: Json = {}): ClassDecorator {
  return (target) => Extensions({ constraints: { rule, published } })(target);
}

/** A rule that one instant is before another where both are given: nothing is between those that were exchanged. */
export function inOrder(from: string, to: string): ObjectRule {
  return (read) => {
    const [begin, end] = [read(from), read(to)] as (Date | string | null | undefined)[];
    if (begin == null || end == null || !(new Date(begin) >= new Date(end))) return [];
    return [{ at: [to], sentence: `must be after {${from}}` }];
  };
}

/** The constraints of a text, for items of lists as well. */
export function text({ max: maxLength, min, lines, ...rest }: TextOptions): Constraints {
  const minLength = min ?? (rest.trim && 1);
  return { ...(minLength ? { minLength } : {}), maxLength, text: lines ? 'lines' : 'line', ...rest };
}

/** Puts the constraints on the fields of the built schema, and their limits into the descriptions. */
export function placeConstraints(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const constraints = type.extensions[noteOf(field.name)];
      if (constraints === undefined) continue;
      field.extensions = { ...field.extensions, constraints };
      // The values of an enum are its limits.
      const limits = isEnumType(getNullableType(field.type)) ? '' : limitsOf(constraintsOf(field));
      if (limits !== '') field.description = `${field.description ?? ''} ${limits}`.trim();
    }
  }
}

interface TextOptions extends Omit<Constraints, 'minLength' | 'maxLength' | 'text'> {
  readonly max: number;
  /** 1 where white space around the text does not count, unless it may be empty: 0. */
  readonly min?: number;
  readonly lines?: true;
}

interface ListOptions extends Omit<Constraints, 'minItems' | 'maxItems'> {
  readonly max: number;
  readonly min?: number;
}

function noteOf(field: string): string {
  return `constraints of ${field}`;
}

/** The limits in words: `1 to 200 characters.` */
function limitsOf({
  minLength,
  maxLength,
  minItems,
  maxItems,
  items,
  minimum,
  maximum,
  json,
  trim,
}: Constraints): string {
  const limits = [
    span(minLength, maxLength, charactersOf(trim)),
    span(minItems, maxItems, 'items'),
    items?.maxLength === undefined ? '' : `${span(items.minLength, items.maxLength, charactersOf(items.trim))} each`,
    span(minimum, maximum, ''),
    json === undefined ? '' : `${json.bytes / 1024} KB and ${json.levels} levels at most`,
  ].filter((limit) => limit !== '');
  return limits.length === 0 ? '' : `${limits.join(', ')}.`;
}

const charactersOf = (trim: Constraints['trim']) => `characters${trim ? ' after trimming' : ''}`;

function span(min: number | undefined, max: number | undefined, unit: string): string {
  const [least, most] = [min, max].map((value) => value?.toLocaleString('en-US'));
  const words = unit === '' ? '' : ` ${unit}`;
  if (least === undefined || (min === 0 && unit !== '')) return most === undefined ? '' : `${most}${words} at most`;
  return most === undefined ? `${least}${words} or more` : `${least} to ${most}${words}`;
}
