import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { language } from '../language/language.ts'

interface Props {
  readonly label: string
  readonly value: ReactNode
  /** What the number is measured in, or against. */
  readonly about?: ReactNode
}

/** A number with what it counts. Put several in a `Group` or a `SimpleGrid`, inside of a `dl`. */
export const Figure = ({ label, value, about }: Props) => (
  <div>
    <Text component="dt" size="xs" c="dimmed">
      {label}
    </Text>
    <Text component="dd" m={0} fz="xl" fw={600} lh={1.3}>
      {typeof value === 'number' ? value.toLocaleString(language) : value}
    </Text>
    {about !== undefined && (
      <Text component="dd" m={0} size="xs" c="dimmed">
        {about}
      </Text>
    )}
  </div>
)
