import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import type { Output } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { FoundCount } from '../../parts/evidence/choose-count.tsx'
import { type Same, useFound } from '../../parts/evidence/use-found-same.ts'
import { useOnceFound } from '../../parts/evidence/use-once-found.ts'
import { clip, queryOf } from '../../parts/formats.ts'
import { ErrorState } from '../../parts/states.tsx'
import classes from './triage.module.css'

type Found = Pick<Output<'lookup_search'>['items'][number], 'id' | 'reference' | 'title'>

const TYPING_MS = 200
const SHOWN = 8

interface Props {
  readonly label: string
  readonly type: 'signal' | 'claim'
  /** What likely says the same is offered until somebody types, the nearest by meaning first. */
  readonly same: Same
  /** References that are not offered. */
  readonly except: ReadonlySet<string>
  readonly onPick: (found: Found) => void
}

/**
 * Finds a Signal or a claim by what it says or by its reference, and picks one by keyboard or pointer. Enter waits for
 * the results of what is typed.
 */
export const Finder = ({ label, type, same, except, onPick }: Props) => {
  const [typed, setTyped] = useState('')
  const [place, setPlace] = useState(0)
  const [words] = useDebouncedValue(typed.trim(), TYPING_MS)
  const { items, error, isFetching, refetch } = useFound({
    type,
    same,
    words: queryOf(words),
    most: SHOWN + except.size,
  })
  const found = (items ?? []).filter(({ reference }) => reference !== null && !except.has(reference)).slice(0, SHOWN)
  const current = Math.min(place, found.length - 1)
  const picked = found[current]
  const isStale = isFetching || items === undefined || words !== typed.trim()
  const pickOnceFound = useOnceFound(typed, isStale, () => picked !== undefined && onPick(picked))
  const pressed = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setPlace(Math.min(Math.max(current + step, 0), found.length - 1))
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    pickOnceFound()
  }
  return (
    <Stack gap="sm">
      <TextInput
        label={label}
        placeholder={t('Words, or a reference')}
        leftSection={<IconSearch size={14} />}
        value={typed}
        onChange={event => {
          setTyped(event.currentTarget.value)
          setPlace(0)
        }}
        onKeyDown={pressed}
        role="combobox"
        aria-expanded
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `found-${current}` : undefined}
        data-autofocus
      />
      {error !== null && <ErrorState error={error} retry={refetch} />}
      <div id="found" role="listbox" aria-label={t('Found')} aria-busy={isStale}>
        {found.map((each, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and takes the keys
          <div
            key={each.id}
            id={`found-${index}`}
            role="option"
            aria-selected={index === current}
            data-current={index === current || undefined}
            className={classes.found}
            // Not at the click: what is found may move under the pointer before the button is up, and nothing is
            // clicked then.
            onMouseDown={event => {
              if (event.button !== 0) return
              event.preventDefault()
              onPick(each)
            }}
            onPointerMove={() => setPlace(index)}
          >
            <Group gap="sm" wrap="nowrap" align="baseline">
              <Text component="span" size="xs" ff="monospace" c="dimmed" flex="none">
                {each.reference}
              </Text>
              <Text component="bdi" size="sm" lineClamp={2} flex={1} style={{ overflowWrap: 'anywhere' }}>
                {clip(each.title, 200)}
              </Text>
              {each.mark !== undefined && (
                <Text component="span" size="xs" c="dimmed" flex="none">
                  {each.mark}
                </Text>
              )}
            </Group>
          </div>
        ))}
      </div>
      <FoundCount found={isStale ? null : found.length} nothing={t('Nothing matches.')} />
    </Stack>
  )
}
