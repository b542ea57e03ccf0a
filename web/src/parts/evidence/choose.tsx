import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { Problem } from '../../api/http.ts'
import { useOperation } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { queryOf } from '../formats.ts'
import { type Choice, ChooseList } from './choose-list.tsx'
import { type Same, useFound } from './use-found-same.ts'

export interface PickerProps {
  readonly type: 'claim' | 'solution' | 'node'
  readonly title: string
  readonly about: string
  /** The search text before the person writes. */
  readonly start: string
  /** Offers the claims that are likely the same as this one before the person writes, nearest by meaning first. */
  readonly same?: Same
  /** References, or ids of nodes, that cannot be chosen, with the reason. */
  readonly except: readonly string[]
  readonly whyNot?: string
  /** References that can be chosen, with a remark. */
  readonly marked?: readonly string[]
  readonly mark?: string
  readonly opened: boolean
  readonly onClose: () => void
  /** Gets the reference; a node's id, because nodes have none. */
  readonly onChoose: (chosen: string, title: string) => void
}

const TYPING_MS = 250

const LABELS = { claim: t('Find a claim'), solution: t('Find a Solution'), node: t('Find a node of the map') } as const

/** Finds a claim, a Solution or a node by words, meaning or reference. Likely same ones come first when requested. */
export const Picker = ({ title, opened, onClose, same, ...search }: PickerProps) => (
  <Modal opened={opened} onClose={onClose} title={title} size="lg">
    {same === undefined ? (
      <Search onClose={onClose} {...search} />
    ) : (
      <SameSearch onClose={onClose} same={same} {...search} />
    )}
  </Modal>
)

type SearchProps = Omit<PickerProps, 'title' | 'opened' | 'same'>

const Search = ({ start, ...props }: SearchProps) => {
  const { text, setText, words } = useTypedWords()
  const input = { query: queryOf(words || start), types: [props.type], limit: MAX_OFFERED }
  const { data, error, isFetching, refetch } = useOperation('lookup_search', input, { keep: true })
  const typed = { text, onType: setText, isStale: isFetching || text.trim() !== words }
  return <Found {...props} {...typed} items={data?.items} error={error} retry={refetch} />
}

const SameSearch = ({
  start: _,
  same,
  ...props
}: SearchProps & { readonly same: NonNullable<PickerProps['same']> }) => {
  const { text, setText, words } = useTypedWords()
  const { items, error, isFetching, refetch } = useFound({
    type: 'claim',
    same,
    words: queryOf(words),
    most: MAX_OFFERED,
  })
  const typed = { text, onType: setText, isStale: isFetching || text.trim() !== words }
  return <Found {...props} {...typed} items={items} error={error} retry={refetch} />
}

const MAX_OFFERED = 10

const useTypedWords = () => {
  const [text, setText] = useState('')
  const [words] = useDebouncedValue(text.trim(), TYPING_MS)
  return { text, setText, words }
}

interface FoundProps extends Omit<SearchProps, 'start'> {
  readonly text: string
  readonly onType: (text: string) => void
  readonly isStale: boolean
  readonly items: readonly Choice[] | undefined
  readonly error: Problem | null
  readonly retry: () => void
}

const Found = ({ type, about, except, whyNot, marked = [], mark, onClose, onChoose, items, ...list }: FoundProps) => {
  const found = items?.map(({ id, reference, title, mark: own }) => {
    const isFixed = except.includes(reference ?? id)
    const isMarked = reference !== null && marked.includes(reference)
    const said = isMarked ? [own, mark].filter(Boolean).join(' · ') : own
    return { id, reference, title, isFixed, mark: isFixed ? whyNot : said }
  })
  return (
    <ChooseList
      {...list}
      about={about}
      label={LABELS[type]}
      found={found}
      nothing={t('Nothing matches.')}
      onChoose={({ id, reference, title }) => {
        onClose()
        onChoose(reference ?? id, title)
      }}
    />
  )
}
