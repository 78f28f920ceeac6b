import {
  GraphQLError,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql';
import { isMetaField } from './document-walk.js';

export const noIntrospection: ValidationRule = (context) => ({
  Field(node) {
    if (isMetaField(node.name.value))
      context.reportError(new GraphQLError('Introspection is switched off', { nodes: node }));
  },
});

/** Directives that decide whether a selection is made. */
export const CONDITIONS: ReadonlySet<string> = new Set([GraphQLSkipDirective.name, GraphQLIncludeDirective.name]);

/**
 * A subscription without its field has nothing to wait for (GraphQL, September 2025, 5.2.4.1). It comes before the rules
 * of graphql-js: the one on the only field of a subscription throws where a condition is a variable.
 */
export function conditionsOfSubscriptions({ definitions }: DocumentNode): GraphQLError[] {
  const seen = new Set<string>();
  return definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION && node.operation === OperationTypeNode.SUBSCRIPTION
      ? conditionsIn(node.selectionSet)
      : [],
  );

  function conditionsIn(set: SelectionSetNode): GraphQLError[] {
    return set.selections.flatMap((node) => {
      const condition = node.directives?.find(({ name }) => CONDITIONS.has(name.value));
      const own = condition === undefined ? [] : [new GraphQLError(CONDITIONAL, { nodes: condition })];
      if (node.kind === Kind.INLINE_FRAGMENT) return [...own, ...conditionsIn(node.selectionSet)];
      return node.kind === Kind.FRAGMENT_SPREAD ? [...own, ...conditionsOfFragment(node.name.value)] : own;
    });
  }

  function conditionsOfFragment(name: string): GraphQLError[] {
    if (seen.has(name)) return [];
    seen.add(name);
    return definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION && node.name.value === name ? conditionsIn(node.selectionSet) : [],
    );
  }
}

const CONDITIONAL = 'The field of a subscription must not have @skip or @include';
