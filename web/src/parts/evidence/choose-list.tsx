import { Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'
import type { Problem } from '../../api/http.ts'
import { t } from '../../language/messages.ts'
import { ErrorState, LoadingState } from '../states.tsx'
import classes from './choose.module.css'
import { FoundCount } from './choose-count.tsx'
import { useOnceFound } from './use-once-found.ts'

export interface Choice {
  readonly id: string
  /** Null without a reference. */
  readonly reference: string | null
  readonly title: string
  /** Remark behind its title. */
  readonly mark?: string | undefined
  /** True for a result that cannot be chosen: its mark has the reason. */
  readonly isFixed?: boolean
}

interface Props<Chosen extends Choice> {
  readonly about: string
  readonly label: string
  readonly text: string
  readonly onType: (text: string) => void
  /** Undefined before the first answer. */
  readonly found: readonly Chosen[] | undefined
  /** True when the results belong to earlier words: Enter waits for new ones. */
  readonly isStale?: boolean
  /** Text for an empty result. */
  readonly nothing: string
  readonly error: Problem | null
  readonly retry: () => void
  readonly onChoose: (chosen: Chosen) => void
}

/**
 * A field with its results below; a press chooses one. Enter or the arrow key moves from the field to the first result,
 * which a screen reader reads before another Enter chooses it.
 */
export const ChooseList = <Chosen extends Choice>(props: Props<Chosen>) => {
  const { about, label, text, onType, found, isStale = false, nothing, error, retry, onChoose } = props
  const list = useRef<HTMLUListElement>(null)
  const goOnceFound = useOnceFound(text, isStale, () =>
    list.current?.querySelector<HTMLElement>('button:not(:disabled)')?.focus(),
  )
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {about}
      </Text>
      <TextInput
        data-autofocus
        type="search"
        aria-label={label}
        placeholder={t('Words, or a reference')}
        leftSection={<IconSearch size={16} />}
        value={text}
        onChange={event => onType(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
          event.preventDefault()
          goOnceFound()
        }}
      />
      {found === undefined && (error === null ? <LoadingState rows={4} /> : <ErrorState error={error} retry={retry} />)}
      <ul ref={list} className="plain" aria-label={t('Found')} aria-busy={isStale}>
        {found?.map(one => (
          <li key={one.id}>
            <UnstyledButton className={classes.choice} disabled={one.isFixed ?? false} onClick={() => onChoose(one)}>
              <Text span size="sm" ff="monospace" c="dimmed" flex="none">
                {one.reference}
              </Text>
              <Text component="bdi" size="sm" lineClamp={2}>
                {one.title}
              </Text>
              {one.mark !== undefined && (
                <Text span size="xs" c="dimmed" className={classes.mark}>
                  {one.mark}
                </Text>
              )}
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <FoundCount found={isStale ? null : (found?.length ?? null)} nothing={nothing} />
    </Stack>
  )
}
