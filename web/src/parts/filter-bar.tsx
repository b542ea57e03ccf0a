import { ActionIcon, Button, Drawer, Group, Select, Stack, TextInput, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconSearch, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t, word } from '../language/messages.ts'
import classes from './filter-bar.module.css'
import { useFilterSheet } from './use-url-state.ts'

interface Choice {
  readonly label: string
  /** What is chosen; empty: all. */
  readonly value: string
  readonly options: readonly (string | { readonly value: string; readonly label: string })[]
  readonly onChange: (value: string) => void
}

interface Props {
  readonly choices: readonly Choice[]
  readonly search?: { readonly label: string; readonly value: string; readonly onChange: (value: string) => void }
  /** How wide each choice is, in pixels, where many must share a line. */
  readonly width?: number
  /** Anything more at the end of the line: saved views, a count. */
  readonly children?: ReactNode
}

const PHONE = '(max-width: 47.99em)'

/**
 * The filters of a list in one line; on a phone behind a button. What is chosen belongs to the address: give it fields
 * of `useUrlState`.
 */
export const FilterBar = ({ choices, search, width = 160, children }: Props) => {
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })
  const chosen = choices.filter(({ value }) => value !== '')
  const filtered = chosen.length > 0 || (search !== undefined && search.value !== '')
  const clear = () => {
    for (const { onChange } of chosen) onChange('')
    search?.onChange('')
  }
  return (
    <Group gap="sm" mb={{ base: 'sm', sm: 'md' }} role="search" data-chrome>
      {search !== undefined && (
        <TextInput
          size="xs"
          flex={{ base: 1, sm: 'none' }}
          w={{ sm: 200 }}
          miw={0}
          type="search"
          aria-label={search.label}
          placeholder={search.label}
          leftSection={<IconSearch size={14} />}
          value={search.value}
          onChange={event => search.onChange(event.currentTarget.value)}
          // Back to the list and its keys.
          onKeyDown={event => event.key === 'Escape' && event.currentTarget.blur()}
        />
      )}
      {isPhone ? (
        <Sheet choices={choices} chosen={chosen.length} />
      ) : (
        choices.map(choice => <OneChoice key={choice.label} of={choice} width={width} />)
      )}
      {/* Its room is there before it is: what stands below stays where it is. */}
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

const OneChoice = ({ of: choice, width }: { readonly of: Choice; readonly width: number | string }) => (
  <Select
    size="xs"
    w={width}
    aria-label={choice.label}
    placeholder={choice.label}
    clearable
    data={choice.options.map(option => (typeof option === 'string' ? { value: option, label: word(option) } : option))}
    value={choice.value === '' ? null : choice.value}
    onChange={chosen => choice.onChange(chosen ?? '')}
  />
)

/** The choices one below the other, which a phone has no line for. */
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
