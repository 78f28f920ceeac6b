import type { ComponentChildren } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';
import { text } from '../texts.js';
import { About } from './about.js';
import { CardTitle } from './basics.js';
import { Button } from './button.js';

/** Once more of a list is shown: its first element, and how many there are. */
export type OnShown = (first: Element | null | undefined, count: number) => void;

interface ShowMoreProps {
  name: string;
  /** What goes on, which calls back once it is there. */
  children: (onShown: OnShown) => ComponentChildren;
}

/**
 * A button that shows more of a list. It has the focus until more is there, which the first of it has then; a screen reader says
 * how many there are.
 */
export function ShowMore({ name, children }: ShowMoreProps) {
  const [goesOn, setGoesOn] = useState(false);
  const [shown, setShown] = useState<number>();
  const button = useRef<HTMLElement | null>(null);
  const about = useContext(CardTitle);
  const onShown: OnShown = (first, count) => {
    const { activeElement } = document;
    // The reader may have gone on elsewhere.
    if (first instanceof HTMLElement && (activeElement === button.current || activeElement === document.body)) {
      if (first.tabIndex < 0) first.tabIndex = -1;
      first.focus();
    }
    setShown(count);
  };
  return (
    <>
      <span role="status" class="unseen">
        {shown !== undefined && text('pages.more.shown', { count: shown })}
      </span>
      {goesOn && children(onShown)}
      {shown === undefined && (
        <p class="below">
          <About.Provider value={about}>
            <Button
              disabled={goesOn}
              onClick={() => setGoesOn(true)}
              buttonRef={(element) => void (button.current = element)}
            >
              {name}
            </Button>
          </About.Provider>
        </p>
      )}
    </>
  );
}
