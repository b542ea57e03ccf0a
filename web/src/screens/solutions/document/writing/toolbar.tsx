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
import { t } from '../../../../language/messages.ts'
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
  { label: t('Heading'), Icon: IconHeading, command: toggleLines(HEADING) },
  { label: t('Bold (Ctrl B)'), Icon: IconBold, command: toggleAround('**') },
  { label: t('Italic (Ctrl I)'), Icon: IconItalic, command: toggleAround('_') },
  { label: t('Link (Ctrl K)'), Icon: IconLink, command: insertLink },
  { label: t('List'), Icon: IconList, command: toggleLines(LIST) },
  { label: t('Numbered list'), Icon: IconListNumbers, command: toggleLines(NUMBERED_LIST) },
  { label: t('Checklist'), Icon: IconListCheck, command: toggleLines(CHECKLIST) },
  { label: t('Table'), Icon: IconTable, command: insertTable },
  { label: t('Quote'), Icon: IconBlockquote, command: toggleLines(QUOTE) },
  { label: t('Code'), Icon: IconCode, command: insertCode },
] as const

/** What Markdown has marks for, as buttons. */
export const Toolbar = ({ onCommand }: { readonly onCommand: (command: StateCommand) => void }) => (
  <Group role="toolbar" aria-label={t('Format')} gap={2} wrap="wrap">
    {TOOLS.map(({ label, Icon, command }) => (
      <Tooltip key={label} label={label}>
        <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => onCommand(command)}>
          <Icon size={18} />
        </ActionIcon>
      </Tooltip>
    ))}
  </Group>
)
