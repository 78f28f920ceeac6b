import { createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';

/** The ids of the elements that label the subject of a list item. */
export const About = createContext<string | undefined>(undefined);

/** The label of a control that other items have as well: its own words, and the subject of its item. */
export function useName(about = useContext(About)): { id?: string; 'aria-labelledby'?: string } {
  const id = useId();
  return about === undefined ? {} : { id, 'aria-labelledby': `${id} ${about}` };
}
