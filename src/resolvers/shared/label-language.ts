import { ArgsType } from 'type-graphql';
import { invalidInput } from '../../errors.js';
import { english, languageOf, LANGUAGES, type Language } from '../../messages/language.js';
import { PageArgs } from '../../schema/shared/connection.js';
import { Nullable } from '../../schema/shared/types.js';

const CHOICE = `${LANGUAGES.join(', ')}; English when absent, as is what has no translation.`;

export const LABEL_LANGUAGE = `Language of labels: ${CHOICE}`;
export const TEXT_LANGUAGE = `Language of the texts of laws: ${CHOICE}`;

@ArgsType()
export class LabelledPageArgs extends PageArgs {
  @Nullable(() => String, LABEL_LANGUAGE)
  language?: string | null;
}

/** Throws BAD_USER_INPUT for a tag of none of the languages. */
export function labelLanguage(tag: string | null | undefined): Language {
  if (tag == null) return english;
  if (LANGUAGES.includes(tag)) return languageOf(tag);
  const sentence = `must be one of the languages ${LANGUAGES.join(', ')}`;
  throw invalidInput([{ path: ['language'], sentence }]);
}

/** The same objects with their labels in a language. */
export function labelled<Item extends { label: string }>(items: Item[], language: Language): Item[] {
  if (language === english) return items;
  return items.map((item) => ({ ...item, label: language.translated(item.label) }));
}
