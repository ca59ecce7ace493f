"""What the end-to-end tests share: starting programs and the agent in them, ending them, and
checking what they have written.
"""
