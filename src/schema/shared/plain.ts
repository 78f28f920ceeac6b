/**
 * The plain row of a type. Decorator metadata would otherwise mention the class itself, and native modules fail to load
 * when a class is mentioned before it is defined. It also keeps rows plain: no instances of them are built.
 */
export type Plain<Shape> = Shape;
