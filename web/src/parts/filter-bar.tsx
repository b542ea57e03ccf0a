import { ActionIcon, Button, Drawer, Group, Popover, Select, Stack, Text, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconUsers, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t, word } from '../language/messages.ts'
import classes from './filter-bar.module.css'
import { SearchField, useTyped } from './search-field.tsx'
import { useFilterSheet } from './use-url-state.ts'

interface Choice {
  readonly label: string
  /** The chosen value; empty for all. */
  readonly value: string
  readonly options: readonly (string | { readonly value: string; readonly label: string })[]
  readonly onChange: (value: string) => void
}

interface Props {
  readonly choices: readonly Choice[]
  readonly search?: { readonly label: string; readonly value: string; readonly onChange: (value: string) => void }
  /** More choices behind a button, with their label and a text for none. */
  readonly more?: { readonly label: string; readonly choices: readonly Choice[]; readonly nothing: string }
  /** Width of each choice in pixels, when many share a line. */
  readonly width?: number
  /** Further elements at the end of the line: saved views, a count. */
  readonly children?: ReactNode
}

const PHONE = '(max-width: 47.99em)'

/**
 * Filters of a list in one line; on a phone behind a button. The choices belong to the address: pass fields of
 * `useUrlState`.
 */
export const FilterBar = ({ choices, search, more, width = 160, children }: Props) => {
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })
  const all = [...choices, ...(more?.choices ?? [])]
  const chosen = all.filter(({ value }) => value !== '')
  const field = useTyped(search?.value ?? '', search?.onChange ?? (() => {}))
  const filtered = chosen.length > 0 || field.typed !== ''
  const clear = () => {
    for (const { onChange } of chosen) onChange('')
    field.type('')
  }
  return (
    <Group gap="sm" mb={{ base: 'sm', sm: 'md' }} role="search" data-chrome>
      {search !== undefined && (
        <SearchField
          label={search.label}
          field={field}
          flex={{ base: '1 1 9rem', sm: 'none' }}
          w={{ sm: 200 }}
          miw={0}
        />
      )}
      {isPhone ? (
        <Sheet choices={all} chosen={chosen.length} />
      ) : (
        choices.map(choice => <OneChoice key={choice.label} of={choice} width={width} />)
      )}
      {!isPhone && more !== undefined && <More {...more} />}
      {/* The button's place is reserved, so that elements below do not move. */}
      <Tooltip label={t('Clear')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('Clear')}
          style={{ visibility: filtered ? 'visible' : 'hidden' }}
          onClick={clear}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {children}
    </Group>
  )
}

interface OneChoiceProps {
  readonly of: Choice
  readonly width: number | string
  /** True within a popover, which stays open during a choice. */
  readonly isWithin?: boolean
}

const OneChoice = ({ of: choice, width, isWithin = false }: OneChoiceProps) => (
  <Select
    size="xs"
    w={width}
    aria-label={choice.label}
    placeholder={choice.label}
    clearable
    comboboxProps={{ withinPortal: !isWithin }}
    data={choice.options.map(option => (typeof option === 'string' ? { value: option, label: word(option) } : option))}
    value={choice.value === '' ? null : choice.value}
    onChange={chosen => choice.onChange(chosen ?? '')}
  />
)

/** Choices that many lists lack. The button's place is reserved until it is known if there are any. */
const More = ({ label, choices, nothing }: NonNullable<Props['more']>) => {
  const isChosen = choices.some(({ value }) => value !== '')
  return (
    <Popover width={260} trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label={label}>
          <ActionIcon variant={isChosen ? 'filled' : 'default'} size={30} aria-label={label}>
            <IconUsers size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Stack gap="sm">
          {choices.length === 0 && <Text size="sm">{nothing}</Text>}
          {choices.map(choice => (
            <OneChoice key={choice.label} of={choice} width="100%" isWithin />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** The choices below each other, for phones. */
const Sheet = ({ choices, chosen }: Pick<Props, 'choices'> & { readonly chosen: number }) => {
  const { opened, open, close } = useFilterSheet('filters')
  return (
    <>
      <Button
        size="xs"
        variant="default"
        fw={450}
        // As high as the field beside it.
        mih={0}
        leftSection={<IconAdjustmentsHorizontal size={14} aria-hidden />}
        onClick={() => open()}
      >
        {chosen === 0 ? t('Filters') : t('Filters ({chosen})', { chosen })}
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        position="bottom"
        classNames={{ content: classes.sheet ?? '' }}
        title={t('Filters')}
      >
        <Stack gap="md" pb="md">
          {choices.map(choice => (
            <OneChoice key={choice.label} of={choice} width="100%" />
          ))}
          <Button onClick={close}>{t('Show the list')}</Button>
        </Stack>
      </Drawer>
    </>
  )
}
