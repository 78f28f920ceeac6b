import ts from 'typescript';

/** A text of responses, with {} for its placeholders, and its place in the source. */
export interface Said {
  readonly text: string;
  readonly place: string;
}

interface Source {
  readonly path: string;
  readonly text: string;
}

/** Constructors of errors, with the position of the sentence among their arguments. */
const MAKERS: Readonly<Record<string, number>> = {
  ...{ badUserInput: 0, invalidValue: 0, unreadable: 0, GraphQLError: 0, RefusedAddress: 0 },
  ...{ DomainError: 1, ScimError: 1, ProtocolError: 1, attributesOf: 1, requireKnown: 2 },
};
/** Names of lists and sets that collect errors. */
const GATHERS = /errors$/i;
/** Names of parameters and fields that are sentences, and of constants that contain some. */
const HOLDS = /^(?:sentence|sentences|detail)$/;
const TABLES = /^(?:CONFLICT_REASONS|NOT_SENT|[A-Z_]*SENTENCES|REFUSALS|SUPPORTED)$/;
const CONSTANT = /^[A-Z][A-Z\d_]+$/;
/** The beginnings of error sentences, wherever they are composed. */
const SHAPE =
  /^(?:\{\} )?(?:(?:must|cannot|goes with|belongs to|contradicts|unknown key)\b|(?:is|are) (?:no|not|of|there|named|nested|required|answered) \S|is required$|has (?:a|an|no|more|two) )/;

/**
 * Sentences that the source passes to constructors and collectors of errors, also through constants, and those with
 * their form.
 */
export function errorSentences(sources: readonly Source[]): Said[] {
  const files = sources.map(({ path, text }) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  const [takers, constants] = [new Map<string, number>(Object.entries(MAKERS)), new Map<string, ts.Expression>()];
  for (const file of files) declared(file, takers, constants);
  return files.flatMap((file) => {
    const found = new Map<number, Said>();
    const literals = (node: ts.Node | undefined): void => {
      const text = node && textOf(node);
      if (text !== undefined) return add(node!, text);
      if (node === undefined || ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return;
      if (ts.isIdentifier(node)) return CONSTANT.test(node.text) ? literals(own(node, constants, file)) : undefined;
      if (ts.isPropertyAssignment(node)) return literals(node.initializer);
      if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].forEach(literals);
      ts.forEachChild(node, literals);
    };
    const add = (node: ts.Node, text: string) => {
      if (!/[a-z]{2}/i.test(text) || !/\S\s+\S/.test(text)) return;
      const line = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.set(node.getStart(), { text, place: `${file.fileName}:${line}` });
    };
    const visit = (node: ts.Node): void => {
      if (ts.isDecorator(node) || isOfStart(node)) return;
      if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
        const [name, gathers] = calleeOf(node);
        const at = gathers ? 0 : takers.get(name);
        if (at !== undefined) literals(node.arguments?.[at]);
      }
      if (ts.isPropertyAssignment(node) && HOLDS.test(node.name.getText())) literals(node.initializer);
      if (ts.isVariableDeclaration(node) && TABLES.test(node.name.getText())) literals(node.initializer);
      const text = textOf(node);
      if (text !== undefined && SHAPE.test(text) && !isName(node)) add(node, text);
      ts.forEachChild(node, visit);
    };
    visit(file);
    return [...found.values()];
  });
}

/** Functions with a parameter of that name, and constants that are texts. */
function declared(file: ts.SourceFile, takers: Map<string, number>, constants: Map<string, ts.Expression>): void {
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'parameters' in node) {
      const at = node.parameters.findIndex(({ name }) => HOLDS.test(name.getText()));
      const name = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
      if (at >= 0 && name !== undefined && 'body' in node) takers.set(name.getText(), at);
    }
    if (ts.isVariableDeclaration(node) && node.initializer && CONSTANT.test(node.name.getText()))
      if (textOf(node.initializer) !== undefined) constants.set(node.name.getText(), node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(file);
}

/** Prefers the constant of the same file to one with the same name elsewhere. */
function own({ text }: ts.Identifier, constants: ReadonlyMap<string, ts.Expression>, file: ts.SourceFile) {
  for (const statement of file.statements)
    if (ts.isVariableStatement(statement))
      for (const { name, initializer } of statement.declarationList.declarations)
        if (name.getText() === text) return initializer;
  return constants.get(text);
}

/** The called function, and whether it adds an error to a collection. */
function calleeOf({ expression }: ts.CallExpression | ts.NewExpression): [name: string, gathers: boolean] {
  if (!ts.isPropertyAccessExpression(expression)) return [expression.getText(), false];
  const name = expression.name.getText();
  return [name, ['add', 'push'].includes(name) && GATHERS.test(expression.expression.getText())];
}

/** Errors of the start, for operators, and log messages. */
function isOfStart(node: ts.Node): boolean {
  if (ts.isNewExpression(node)) return /^(?:Startup|Range|Type)?Error$/.test(node.expression.getText());
  return ts.isCallExpression(node) && /\blog(?:ger)?\.\w+$/.test(node.expression.getText());
}

function isName({ parent }: ts.Node): boolean {
  return ts.isImportDeclaration(parent) || ts.isLiteralTypeNode(parent) || ts.isTaggedTemplateExpression(parent);
}

/** A literal without its quotation marks. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return named(node.text);
  if (!ts.isTemplateExpression(node)) return undefined;
  return named(node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join(''));
}

const named = (text: string) => text.replaceAll(/\{\w+\}/g, '{}');
