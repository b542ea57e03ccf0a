import type { StateCommand } from '@codemirror/state'
import { ActionIcon, Group, Tooltip } from '@mantine/core'
import {
  IconBlockquote,
  IconBold,
  IconCode,
  IconHeading,
  IconItalic,
  IconLink,
  IconList,
  IconListCheck,
  IconListNumbers,
  IconTable,
} from '@tabler/icons-react'
import {
  CHECKLIST,
  HEADING,
  insertCode,
  insertLink,
  insertTable,
  LIST,
  NUMBERED_LIST,
  QUOTE,
  toggleAround,
  toggleLines,
} from './commands.ts'

const TOOLS = [
  { label: 'Heading', Icon: IconHeading, command: toggleLines(HEADING) },
  { label: 'Bold (Ctrl B)', Icon: IconBold, command: toggleAround('**') },
  { label: 'Italic (Ctrl I)', Icon: IconItalic, command: toggleAround('_') },
  { label: 'Link (Ctrl K)', Icon: IconLink, command: insertLink },
  { label: 'List', Icon: IconList, command: toggleLines(LIST) },
  { label: 'Numbered list', Icon: IconListNumbers, command: toggleLines(NUMBERED_LIST) },
  { label: 'Checklist', Icon: IconListCheck, command: toggleLines(CHECKLIST) },
  { label: 'Table', Icon: IconTable, command: insertTable },
  { label: 'Quote', Icon: IconBlockquote, command: toggleLines(QUOTE) },
  { label: 'Code', Icon: IconCode, command: insertCode },
] as const

/** What Markdown has marks for, as buttons. */
export const Toolbar = ({ onCommand }: { readonly onCommand: (command: StateCommand) => void }) => (
  <Group role="toolbar" aria-label="Format" gap={2} wrap="wrap">
    {TOOLS.map(({ label, Icon, command }) => (
      <Tooltip key={label} label={label}>
        <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => onCommand(command)}>
          <Icon size={18} />
        </ActionIcon>
      </Tooltip>
    ))}
  </Group>
)
