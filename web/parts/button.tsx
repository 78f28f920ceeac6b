import type { ComponentChildren } from 'preact';
import { useName } from './about.js';

interface ButtonProps {
  disabled: boolean;
  class?: string | undefined;
  /** Left out where the button sends its form. */
  onClick?: () => void;
  /** For who moves the focus to it. */
  buttonRef?: ((element: HTMLElement | null) => void) | undefined;
  children: ComponentChildren;
}

/** A button that cannot be used for a while. It has the focus meanwhile: from one with `disabled` browsers take it away. */
export function Button({ disabled, class: kind, onClick, buttonRef, children }: ButtonProps) {
  return (
    <button
      {...useName()}
      class={kind}
      ref={buttonRef ?? null}
      aria-disabled={disabled}
      onClick={(event) => {
        if (disabled) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
    </button>
  );
}

/** The summary by which a part of a line is unfolded. */
export const Summary = ({ children }: { children: ComponentChildren }) => <summary {...useName()}>{children}</summary>;
