/** Door of the look: the components every part of the pages is made of. */
export { Button } from './button.tsx';
export { Dialog, Question } from './dialog.tsx';
export { Check, Field, FieldRow, Select, Slider } from './field.tsx';
export { type Direction, directionOf, Fact, Figure } from './figure.tsx';
export { Notices, notify, notifyFailure } from './notices.tsx';
export { Skeleton } from './skeleton.tsx';
export { type Column, Table } from './table.tsx';
export { type Tab, Tabs } from './tabs.tsx';
export { keepDocumentTheme, THEMES, theme } from './theme.ts';
