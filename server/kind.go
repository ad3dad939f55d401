package server

import (
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

// A kind is an operation on a text, such as a code or an address. It has a route for one
// text, which echoes Q, and a route for a list, which echoes B.
type kind[P, Q, B any, R entry] struct {
	about  *operation.Operation
	params []*param // of the route for one, besides the text
	list   *param   // the texts of a list
	listed []*param // of the route for a list
	long   bool     // Config.AddressBatchTimeout limits the work on a list
	task   task[P, R]

	given P                        // defaults
	input func(q *P) any           // the input of package operation within q
	read  func(in *input, q *P)    // derives options from the input
	set   func(q *P, text string)  // sets the text
	check func(q *P) error         // parses the text
	echo  func(q *P) Q             // of one
	total func(shared *P, n int) B // echo of a list of n
	same  func(q *P) string        // see [batch]

	// These may be nil.
	notices   func(q *P) []envelope.Notice
	reword    func(err error) error
	summarize func(items []batchItem[P]) []envelope.Notice
}

// parse parses the request without its text.
func (k *kind[P, Q, B, R]) parse(in *input, q *P, params []*param) error {
	*q = k.given
	err := in.fill(k.input(q), params...)
	if err == nil {
		k.read(in, q)
	}
	return err
}

func (k *kind[P, Q, B, R]) single() *route {
	return single[P, Q, R]{
		about: k.about, params: append([]*param{k.list.Entry}, k.params...), task: k.task, echo: k.echo, notices: k.notices,
		parse: func(in *input) (q P, err error) {
			text, err := in.text(k.list.Entry)
			if err != nil {
				return q, err
			}
			if err = k.parse(in, &q, k.params); err != nil {
				return q, err
			}
			k.set(&q, text)
			err = k.check(&q)
			return q, err
		},
	}.route()
}

func (k *kind[P, Q, B, R]) batch() *route {
	return batch[P, B, R]{
		about: k.about, list: k.list, params: k.listed, task: k.task, long: k.long, same: k.same, reword: k.reword, summarize: k.summarize,
		begin: func(in *input, n int) (_ itemParser[P], echo B, err error) {
			var shared P
			if err := k.parse(in, &shared, k.listed); err != nil {
				return nil, echo, err
			}
			parse := func(el element) (P, error) {
				q := shared
				text, err := el.text(k.list.Entry)
				k.set(&q, text)
				if err == nil {
					err = k.check(&q)
				}
				return q, err
			}
			return parse, k.total(&shared, n), nil
		},
	}.route()
}
