/**
 * Any of these parts. A part wants every of its words, each in any of its forms:
 *
 *   raft OR (test AND error)   [[['raft']], [['test'], ['error']]]
 *
 * A part has two words at most: more would read more postings than they save.
 */
export type Match = readonly MatchPart[]
export type MatchPart = readonly (readonly string[])[]
