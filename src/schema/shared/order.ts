import { type ClassType, InputType } from 'type-graphql';
import { Field, Nullable } from './field.js';
import type { Order } from '../../common/selection.js';
import { enumeration } from './enumeration.js';

type SortDirection = NonNullable<Order<string>['direction']>;

const SortDirectionEnum = enumeration<SortDirection>('SortDirection', 'Which way a list is ordered.', {
  ASC: 'Smallest, earliest or first of the alphabet first.',
  DESC: 'Largest, latest or last of the alphabet first.',
});

/** Makes the input type `<name>Order`. `direction` is that of an order without one, and what it means where that is said. */
export function orderOf<SortField extends string>(
  name: string,
  ordered: string,
  fields: Readonly<Record<SortField, SortField>>,
  [direction, meaning]: readonly [SortDirection, meaning?: string] = ['ASC'],
): ClassType<Order<SortField>> {
  const which = meaning === undefined ? 'Which way.' : `Which way; \`${direction}\` is ${meaning}.`;

  @InputType(`${name}Order`, { description: `How to order ${ordered}.` })
  class ListOrder {
    @Field(() => fields, 'What to order by.')
    field!: SortField;

    @Nullable(() => SortDirectionEnum, which, { defaultValue: direction })
    direction?: SortDirection | null;
  }
  return ListOrder;
}
