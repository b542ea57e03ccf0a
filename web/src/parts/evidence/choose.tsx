import { Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { queryOf } from '../formats.ts'
import { ErrorState, LoadingState } from '../states.tsx'
import classes from './choose.module.css'

interface Props {
  readonly type: 'claim' | 'solution' | 'node'
  readonly title: string
  readonly about: string
  /** What is searched for until the person writes something. */
  readonly start: string
  /** References, or ids of nodes, that are no choice. */
  readonly except: readonly string[]
  /** References that are a choice, with what is said of them. */
  readonly marked?: readonly string[]
  readonly mark?: string
  readonly opened: boolean
  readonly onClose: () => void
  /** Hears the reference; of a node, which has none, its id. */
  readonly onChoose: (chosen: string, title: string) => void
}

const TYPING_MS = 250

const LABELS = { claim: t('Find a claim'), solution: t('Find a Solution'), node: t('Find a node of the map') } as const

/** Finds a claim, a Solution or a node by its words, its meaning or its reference. */
export const SearchPicker = ({ title, opened, onClose, ...search }: Props) => (
  <Modal opened={opened} onClose={onClose} title={title} size="lg">
    <Search onClose={onClose} {...search} />
  </Modal>
)

const Search = ({
  type,
  about,
  start,
  except,
  marked = [],
  mark,
  onClose,
  onChoose,
}: Omit<Props, 'title' | 'opened'>) => {
  const [text, setText] = useState('')
  const [words] = useDebouncedValue(text.trim(), TYPING_MS)
  const query = queryOf(words || start)
  const { data, error, refetch } = useOperation('lookup_search', { query, types: [type], limit: 10 }, { keep: true })
  const found = data?.items.filter(({ id, reference }) => !except.includes(reference ?? id))
  const choose = (
    one: { readonly id: string; readonly reference: string | null; readonly title: string } | undefined,
  ) => {
    if (one === undefined) return
    onClose()
    onChoose(one.reference ?? one.id, one.title)
  }
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {about}
      </Text>
      <TextInput
        data-autofocus
        type="search"
        aria-label={LABELS[type]}
        placeholder={t('Words, or a reference')}
        leftSection={<IconSearch size={16} />}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') choose(found?.[0])
        }}
      />
      {found === undefined &&
        (error === null ? <LoadingState rows={4} /> : <ErrorState error={error} retry={refetch} />)}
      {found?.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          {t('Nothing like that is there.')}
        </Text>
      )}
      <ul className="plain" aria-label={t('Found')}>
        {found?.map(({ id, reference, title }) => (
          <li key={id}>
            <UnstyledButton className={classes.choice} onClick={() => choose({ id, reference, title })}>
              <Text span size="sm" ff="monospace" c="dimmed">
                {reference}
              </Text>
              <Text component="bdi" size="sm" truncate>
                {title}
              </Text>
              {reference !== null && marked.includes(reference) && (
                <Text span size="xs" c="dimmed" className={classes.mark}>
                  {mark}
                </Text>
              )}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Stack>
  )
}
