/** Door of the look: the components every part of the pages is made of. */
export { ActionDialog, type ActionDialogProps } from './action-dialog.tsx';
export { Button } from './button.tsx';
export { Copied, CopyButton } from './copied.tsx';
export { Dialog, Question } from './dialog.tsx';
export { Check, Field, FieldRow, Select, Slider } from './field.tsx';
export { type Direction, directionOf, Fact, Figure } from './figure.tsx';
export { focusNext } from './focus.ts';
export { Notices, notify, notifyFailure } from './notices.tsx';
export { Refusal } from './refusal.tsx';
export { Mark, Section } from './section.tsx';
export { Skeleton } from './skeleton.tsx';
export { type Column, Table } from './table.tsx';
export { type Tab, Tabs } from './tabs.tsx';
export { keepDocumentTheme, THEMES, theme } from './theme.ts';
export { Time, type Times, timesIn, useTimes, ZONES, type Zone, zone } from './time-zone.tsx';
export { useIsPhone, useIsWide } from './use-width.ts';
