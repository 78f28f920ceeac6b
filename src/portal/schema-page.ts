import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { makeAsset, type Asset } from './asset.js';
import { contentPolicy, inlineSource } from './content-policy.js';
import { escapeHtml, HTML_TYPE, htmlPage } from './html-page.js';
import { bar, THEME_STYLE, type BarLinks } from './theme.js';

/** The page of `GET /schema`: every type of the GraphQL schema with its fields, each type name a link to the type. */
export function schemaPage(schema: GraphQLSchema, links: BarLinks): Promise<Asset> {
  const groups = groupsOf(schema);
  const contents = groups.map(([title]) => `<a href="#${idOf(title)}">${title}</a>`).join('');
  const sections = groups.map(([title, types]) => {
    const open = title === 'Operations' ? ' open' : '';
    return `<section><h2 id="${idOf(title)}">${title}</h2>${types.map((type) => typeBlock(type, open)).join('')}</section>`;
  });
  const body = `${bar(links)}
<main><h1>Schema map</h1>
<p class="quiet">What the GraphQL door offers. Open a type to see its fields; a type's name leads to it.
<a href="schema.graphql">Download it</a> for code generators.</p>
<nav class="contents" aria-label="Kinds of types">${contents}</nav>
${sections.join('\n')}
</main>`;
  const head = `<style>${STYLE}</style>`;
  return makeAsset(HTML_TYPE, htmlPage({ title: 'Schema map – Compliance Gateway', root: links.root, head, body }));
}

/** The text of `GET /schema.graphql`: the whole schema in GraphQL's own language, for code generators. */
export function schemaText(schema: GraphQLSchema): Promise<Asset> {
  return makeAsset('text/plain; charset=utf-8', `${printSchema(lexicographicSortSchema(schema))}\n`);
}

type Group = [title: string, types: GraphQLNamedType[]];

function groupsOf(schema: GraphQLSchema): Group[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
    (root) => !!root,
  );
  const others = Object.values(schema.getTypeMap())
    .filter(
      (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type) && !roots.some((root) => root === type),
    )
    .sort((a, b) => a.name.localeCompare(b.name));
  const groups: Group[] = [
    ['Operations', roots],
    ['Objects', others.filter((type) => isObjectType(type) || isInterfaceType(type) || isUnionType(type))],
    ['Inputs', others.filter(isInputObjectType)],
    ['Enumerations', others.filter(isEnumType)],
    ['Scalars', others.filter(isScalarType)],
  ];
  return groups.filter(([, types]) => types.length > 0);
}

/** The anchor lies inside what is folded away: a browser that goes to it unfolds the type. */
function typeBlock(type: GraphQLNamedType, open: string): string {
  return `<details${open}><summary><code>${type.name}</code>${note(type.description)}</summary>
<div id="${anchorOf(type)}">${rows(type)}</div></details>`;
}

function rows(type: GraphQLNamedType): string {
  if (isObjectType(type) || isInterfaceType(type)) return list(Object.values(type.getFields()).map(fieldRow));
  if (isInputObjectType(type)) return list(Object.values(type.getFields()).map(inputRow));
  if (isEnumType(type)) return list(type.getValues().map((value) => row(value.name, value)));
  if (isUnionType(type)) return list(type.getTypes().map((each) => row(typeLink(each), each)));
  return '';
}

function fieldRow(field: GraphQLField<unknown, unknown>): string {
  const args = field.args.map((arg: GraphQLArgument) => `${arg.name}: ${typeLink(arg.type)}`).join(', ');
  return row(`<b>${field.name}</b>${args && `(${args})`}: ${typeLink(field.type)}`, field);
}

function inputRow(field: GraphQLInputField): string {
  return row(`<b>${field.name}</b>: ${typeLink(field.type)}`, field);
}

interface Described {
  description?: string | null | undefined;
  deprecationReason?: string | null | undefined;
}

function row(signature: string, { description, deprecationReason }: Described): string {
  const warning = deprecationReason ? `<em>Deprecated: ${escapeHtml(deprecationReason)}</em> ` : '';
  return `<li><code>${signature}</code>${note(description, warning)}</li>`;
}

const list = (items: readonly string[]) => `<ul>${items.join('')}</ul>`;

function note(description: string | null | undefined, before = ''): string {
  if (!description && !before) return '';
  const text = escapeHtml(description ?? '').replace(/`([^`]+)`/g, '<code>$1</code>');
  return `<span class="note">${before}${text}</span>`;
}

function typeLink(type: GraphQLOutputType | GraphQLInputType): string {
  const named = getNamedType(type);
  if (isSpecifiedScalarType(named)) return String(type);
  return String(type).replace(named.name, `<a href="#${anchorOf(named)}">${named.name}</a>`);
}

const anchorOf = ({ name }: GraphQLNamedType) => `type-${name}`;
const idOf = (title: string) => title.toLowerCase();

const STYLE = `${THEME_STYLE}
main { max-width: 68rem; margin: 0 auto; padding: 2rem clamp(1rem, 4vw, 3rem) 4rem; }
h1 { margin: 0 0 .25rem; font-size: 2rem; letter-spacing: -.02em; }
h2 { margin: 2rem 0 .75rem; font-size: 1.25rem; }
.quiet, .note { color: var(--quiet); }
.contents { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
details { margin: 0 0 .5rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
details:has(:target) { border-color: var(--brand); box-shadow: 0 0 0 1px var(--brand); }
summary { padding: .6rem 1rem; cursor: pointer; overflow-wrap: anywhere; }
summary > code { font-weight: 650; }
summary .note { margin-left: .75rem; font-size: .92rem; }
ul { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
details > div { scroll-margin-top: 4rem; }
li { padding: .5rem 1rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
li:last-child { border-bottom: 0; }
li .note { display: block; font-size: .92rem; }
em { color: var(--brand-ink); }
`;

export const SCHEMA_POLICY = contentPolicy({ 'style-src': [inlineSource(STYLE)], 'img-src': ["'self'"] });
