// Package accounts opens the accounts, keys, credits and rate limits of a server.
//
// # Usage
//
// Open a store and pass it to a server:
//
//	store, err := accounts.Open(ctx, "accounts.db", accounts.Options{Pepper: secret})
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//	srv, err := server.New(db, server.Config{Accounts: store.Accounts()})
//
// A [Store] creates accounts and keys and grants credits. The command line manages
// the same stores: "postgeo account", "postgeo key" and "postgeo credits".
//
// # Concurrency
//
// A [Store] is safe for concurrent use, also by several processes.
package accounts
