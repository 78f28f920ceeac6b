import { createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';

/** The ids of the elements that say what a line of a list is about. */
export const About = createContext<string | undefined>(undefined);

/** The name of a control that other lines have as well: its own words, and what its line is about. */
export function useName(about = useContext(About)): { id?: string; 'aria-labelledby'?: string } {
  const id = useId();
  return about === undefined ? {} : { id, 'aria-labelledby': `${id} ${about}` };
}
