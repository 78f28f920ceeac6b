import {
  GraphQLError,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { isMetaField } from './document-limits.js';

export const noIntrospection: ValidationRule = (context) => ({
  Field(node) {
    if (isMetaField(node.name.value))
      context.reportError(new GraphQLError('Introspection is switched off', { nodes: node }));
  },
});

/** Directives that decide whether a selection is made. */
export const CONDITIONS: ReadonlySet<string> = new Set([GraphQLSkipDirective.name, GraphQLIncludeDirective.name]);

/** A subscription without its field has nothing to wait for (GraphQL, September 2025, 5.2.4.1). */
export const unconditionalSubscription: ValidationRule = (context) => ({
  OperationDefinition({ operation, selectionSet }) {
    if (operation === OperationTypeNode.SUBSCRIPTION) requireUnconditional(selectionSet, context, new Set());
  },
});

function requireUnconditional(set: SelectionSetNode, context: ValidationContext, seen: Set<string>): void {
  for (const node of set.selections) {
    const condition = node.directives?.find(({ name }) => CONDITIONS.has(name.value));
    if (condition !== undefined) context.reportError(new GraphQLError(CONDITIONAL, { nodes: condition }));
    if (node.kind === Kind.INLINE_FRAGMENT) requireUnconditional(node.selectionSet, context, seen);
    if (node.kind !== Kind.FRAGMENT_SPREAD || seen.has(node.name.value)) continue;
    seen.add(node.name.value);
    const fragment = context.getFragment(node.name.value);
    if (fragment) requireUnconditional(fragment.selectionSet, context, seen);
  }
}

const CONDITIONAL = 'The field of a subscription must not have @skip or @include';
